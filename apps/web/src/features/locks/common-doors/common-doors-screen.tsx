import type { DoorRow } from "@innkey/shared/schemas/access/doors";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { DoorOpen, Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { BlockOutMark } from "@/entities/lock/block-out-mark.tsx";
import { lastSeenText } from "@/entities/lock/lock-labels.ts";
import { openDoorWithToast } from "@/entities/lock/open-door.ts";
import { confirm } from "@/lib/confirm.ts";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { joinItems } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { ClosedDoor } from "@/ui/drawings.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import { DoorDialog } from "./door-dialog.tsx";
import { ZoneList } from "./zone-list.tsx";

function useDoorColumns(): DataColumn<DoorRow>[] {
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
      {
        id: "zones",
        header: t("commonDoors.zones"),
        value: (row) => joinItems(row.zones),
        cell: (row) => joinItems(row.zones) || "–",
      },
      {
        id: "lock",
        header: t("commonDoors.lock"),
        value: (row) => row.lock?.mac ?? "",
        cell: ({ lock }) =>
          lock ? (
            <bdi className="ltr-run font-mono text-sm" dir="ltr">
              {lock.mac}
            </bdi>
          ) : (
            <span className="text-muted-foreground">{t("commonDoors.noLock")}</span>
          ),
      },
      {
        id: "seen",
        header: t("commonDoors.seen"),
        value: (row) => row.lock?.lastSeenAt ?? "",
        cell: ({ lock }) =>
          lock ? (
            <span className="flex flex-wrap items-center gap-1.5">
              {lastSeenText(lock.lastSeenAt)}
              <BlockOutMark lock={lock} />
            </span>
          ) : (
            "–"
          ),
      },
    ],
    [],
  );
}

/** Lists the doors that belong to no room, each with its lock. */
export function CommonDoorsScreen() {
  const navigate = useNavigate();
  const can = useCan();
  const canManage = can("locks.manage");
  const doors = useQuery(trpc.doors.list.queryOptions(undefined, { refetchInterval: BY_TIME_MILLISECONDS }));
  const [edited, setEdited] = useState<DoorRow | "new" | null>(null);
  const remove = useMutation(trpc.doors.remove.mutationOptions());
  const columns = useDoorColumns();

  async function askToRemove(door: DoorRow): Promise<void> {
    const confirmed = await confirm({
      title: t("commonDoors.removeAsk", { name: door.name }),
      description: t("commonDoors.removeText"),
      confirmLabel: t("commonDoors.remove"),
      tone: "danger",
      action: () => remove.mutateAsync({ doorId: door.id }),
    });
    if (confirmed) toast.success(t("commonDoors.removed", { name: door.name }));
  }

  function actions({ lock }: DoorRow): RowAction<DoorRow>[] {
    const open = {
      label: t("locks.door.act"),
      icon: DoorOpen,
      onSelect: ({ id, name }: DoorRow) =>
        void openDoorWithToast({ doorId: id, roomName: name, lockId: lock?.id ?? 0 }),
    };
    return [
      ...(lock && can("locks.open") ? [open] : []),
      ...(canManage
        ? [
            { label: t("common.edit"), icon: Pencil, onSelect: setEdited },
            {
              label: t("commonDoors.remove"),
              icon: Trash2,
              danger: true,
              onSelect: (row: DoorRow) => void askToRemove(row),
            },
          ]
        : []),
    ];
  }

  const add = (
    <ActionButton onClick={() => setEdited("new")}>
      <Plus aria-hidden />
      {t("commonDoors.add")}
    </ActionButton>
  );
  return (
    <>
      <PageHeader title={t("nav.commonDoors")} description={t("commonDoors.text")} actions={canManage && add} />
      <DataTable
        label={t("nav.commonDoors")}
        columns={columns}
        rows={doors.data}
        rowId={(row) => String(row.id)}
        error={doors.error}
        onRetry={() => void doors.refetch()}
        actions={actions}
        onOpen={({ lock }) => lock && void navigate({ to: "/locks/$lockId", params: { lockId: lock.id } })}
        empty={{
          drawing: ClosedDoor,
          title: t("commonDoors.none"),
          description: t("commonDoors.noneText"),
          action: canManage && add,
        }}
      />
      <ZoneList />
      {edited && <DoorDialog door={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}
