import type { AlertRow } from "@innkey/shared/schemas/messaging/alerts";
import { ALERT_KINDS } from "@innkey/shared/words";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { BellOff, CheckCheck, CircleCheck, MailOpen, Trash2 } from "lucide-react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { confirm } from "@/lib/confirm.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useCan } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { Segmented } from "@/ui/form/segmented.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { NoPermission } from "@/ui/no-permission.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import type { RowAction } from "@/ui/table/columns.ts";
import { useListState } from "@/ui/table/list-search.ts";
import { useAlertColumns } from "./alert-columns.tsx";
import type { AlertSearch } from "./alert-search.ts";

/** Lists alerts from locks that need attention. */
export function AlertListPage({ search }: { search: AlertSearch }) {
  return useCan()("alerts.view") ? <Alerts search={search} /> : <NoPermission />;
}

function Alerts({ search }: { search: AlertSearch }) {
  const { t } = useTranslation();
  const list = useListState();
  const manages = useCan()("alerts.manage");
  const columns = useAlertColumns();
  const acts = useAlertActs();
  const { page, pageSize } = list;
  const state = search.state ?? "open";
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.alerts.list.queryOptions({ state, kind: search.kind, page, pageSize }, { placeholderData: keepPreviousData }),
  );

  function actions(row: AlertRow): RowAction<AlertRow>[] {
    const read = { label: t("alert.markRead"), icon: MailOpen, onSelect: acts.markRead };
    const remove = { label: t("alert.remove"), icon: Trash2, danger: true, onSelect: acts.askToRemove };
    return row.readAt === null ? [read, remove] : [remove];
  }

  return (
    <>
      <PageHeader
        title={t("nav.alerts")}
        description={t("alert.text")}
        actions={
          manages && (
            <ActionButton
              variant="outline"
              disabled={!data?.unread}
              pending={acts.markingAll}
              onClick={acts.markAllRead}
            >
              <CheckCheck aria-hidden />
              {t("alert.markAllRead")}
            </ActionButton>
          )
        }
      />
      <ExportedTable
        label={t("nav.alerts")}
        columns={columns}
        rows={data?.rows}
        total={data?.total}
        rowId={(row) => String(row.id)}
        {...list.table}
        error={error}
        onRetry={() => void refetch()}
        stale={isPlaceholderData}
        actions={manages ? actions : undefined}
        exportList={{ list: "alerts", filters: { state, kind: search.kind } }}
        empty={
          state === "open" && !search.kind
            ? { icon: CircleCheck, title: t("alert.none"), description: t("alert.noneText") }
            : { icon: BellOff, title: t("alert.noneFound") }
        }
        toolbar={
          <>
            <Segmented
              options={[
                { value: "open", label: t("alert.open") },
                { value: "all", label: t("room.range.all") },
              ]}
              value={state}
              onChange={(next) => list.change({ state: next === "all" ? next : undefined })}
              aria-label={t("alert.state")}
            />
            <SelectInput
              options={[
                { value: "any", label: t("alert.anyKind") },
                ...ALERT_KINDS.map((kind) => ({ value: kind, label: t(`alert.kind.${kind}`) })),
              ]}
              value={search.kind ?? "any"}
              onChange={(kind) => list.change({ kind: kind === "any" ? undefined : kind })}
              aria-label={t("alert.kindLabel")}
              className="w-auto min-w-52"
            />
          </>
        }
      />
    </>
  );
}

function useAlertActs() {
  const { t } = useTranslation();
  const read = useMutation(trpc.alerts.markRead.mutationOptions());
  const remove = useMutation(trpc.alerts.remove.mutationOptions());
  return {
    markRead: ({ id }: AlertRow): void => read.mutate({ ids: [id] }),
    markAllRead: (): void => read.mutate({ ids: null }, { onSuccess: () => toast.success(t("alert.allRead")) }),
    markingAll: read.isPending && read.variables.ids === null,
    askToRemove: ({ id, kind }: AlertRow): void =>
      void confirm({
        title: t("alert.removeAsk", { kind: t(`alert.kind.${kind}`) }),
        description: t("alert.removeText"),
        confirmLabel: t("alert.remove"),
        tone: "danger",
        action: async () => {
          await remove.mutateAsync({ ids: [id] });
          toast.success(t("alert.removed"));
        },
      }),
  };
}
