import type { ZoneRow } from "@innkey/shared/schemas/access/zones";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { confirm } from "@/lib/confirm.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { joinItems } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { ZoneDialog } from "./zone-dialog.tsx";

/** Who opens a zone with the keys of their stay. */
function guestsOf({ everyGuest, isExtra, groups }: ZoneRow): string {
  const who = [
    everyGuest ? t("zones.everyGuest") : joinItems(groups.map(({ name }) => name)),
    isExtra && t("zones.asExtra"),
  ];
  return who.filter(Boolean).join(" · ") || t("zones.nobody");
}

function Doors({ zone: { doors, leaving } }: { zone: ZoneRow }) {
  const waiting = doors.filter(({ confirmed }) => confirmed === false).map(({ name }) => name);
  return (
    <div className="grid gap-0.5">
      <span>{joinItems(doors.map(({ name }) => name)) || t("zones.noDoors")}</span>
      {waiting.length > 0 && (
        <span className="text-sm text-muted-foreground">{t("zones.waiting", { doors: joinItems(waiting) })}</span>
      )}
      {leaving.length > 0 && (
        <span className="text-sm text-expired">{t("zones.leaving", { doors: joinItems(leaving) })}</span>
      )}
    </div>
  );
}

function useZoneColumns(): DataColumn<ZoneRow>[] {
  return useMemo(
    () => [
      {
        id: "name",
        header: t("commonDoors.name"),
        fixed: true,
        card: "title",
        sortable: true,
        value: (row) => row.name,
        cell: (row) => <span className="font-medium">{row.name}</span>,
      },
      {
        id: "kind",
        header: t("commonDoors.kind"),
        sortable: true,
        value: (row) => t(`commonDoors.kinds.${row.kind}`),
        cell: (row) => t(`commonDoors.kinds.${row.kind}`),
      },
      { id: "who", header: t("zones.who"), value: guestsOf, cell: guestsOf },
      { id: "doors", header: t("zones.doors"), value: (row) => row.doors.length, cell: (row) => <Doors zone={row} /> },
    ],
    [],
  );
}

/** Lists the zones, each with its doors and who opens them. */
export function ZoneList() {
  const canManage = useCan()("locks.manage");
  const zones = useQuery(trpc.zones.list.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }));
  const [edited, setEdited] = useState<ZoneRow | "new" | null>(null);
  const remove = useMutation(trpc.zones.remove.mutationOptions());
  const columns = useZoneColumns();

  async function askToRemove(zone: ZoneRow): Promise<void> {
    const confirmed = await confirm({
      title: t("zones.removeAsk", { name: zone.name }),
      description: t("zones.removeText"),
      confirmLabel: t("zones.remove"),
      tone: "danger",
      action: () => remove.mutateAsync({ zoneId: zone.id }),
    });
    if (confirmed) toast.success(t("commonDoors.removed", { name: zone.name }));
  }

  const actions = (): RowAction<ZoneRow>[] =>
    canManage
      ? [
          { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
          { label: t("zones.remove"), icon: Trash2, danger: true, onSelect: (row) => void askToRemove(row) },
        ]
      : [];
  const add = (
    <ActionButton variant="outline" onClick={() => setEdited("new")}>
      <Plus aria-hidden />
      {t("zones.add")}
    </ActionButton>
  );
  return (
    <section aria-labelledby="zones" className="mt-10">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="max-w-prose min-w-0">
          <h2 id="zones" className="text-lg font-semibold">
            {t("zones.heading")}
          </h2>
          <p className="text-muted-foreground">{t("zones.text")}</p>
        </div>
        {canManage && add}
      </div>
      <DataTable
        label={t("zones.heading")}
        columns={columns}
        rows={zones.data}
        rowId={(row) => String(row.id)}
        error={zones.error}
        onRetry={() => void zones.refetch()}
        actions={actions}
        empty={{
          drawing: EmptyCorridor,
          title: t("zones.none"),
          description: t("zones.noneText"),
          action: canManage && add,
        }}
      />
      {edited && <ZoneDialog zone={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </section>
  );
}
