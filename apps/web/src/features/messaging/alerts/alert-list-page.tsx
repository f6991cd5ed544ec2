import type { AlertKind } from "@innkey/shared/enums";
import { alertTextKey } from "@innkey/shared/locks/alert-text";
import type { AlertRow } from "@innkey/shared/schemas/messaging";
import { ALERT_KINDS } from "@innkey/shared/words";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Ban,
  BatteryLow,
  CheckCheck,
  CircleX,
  ClockAlert,
  CreditCard,
  DoorOpen,
  Hash,
  History,
  KeyRound,
  ListX,
  type LucideIcon,
  MailOpen,
  MailX,
  Siren,
  Trash2,
  TriangleAlert,
  Unplug,
  Webhook,
} from "lucide-react";
import { useMemo } from "react";
import { ExportedTable } from "@/entities/export/exported-table.tsx";
import { listColumns } from "@/entities/export/list-columns.ts";
import { displayParams } from "@/entities/lock/lock-labels.ts";
import { cn } from "@/lib/cn.ts";
import { confirm } from "@/lib/confirm.ts";
import { formatDateTime, formatNumber, formatRelative } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { toast } from "@/lib/toast.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { NoPermission } from "@/ui/can.tsx";
import { QuietBell } from "@/ui/drawings.tsx";
import { Segmented } from "@/ui/form/choice-input.tsx";
import { SelectInput } from "@/ui/form/select-input.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn, RowAction } from "@/ui/table/table-model.ts";
import type { AlertSearch } from "./alert-search.ts";

const linkStyle =
  "inline-flex min-h-6 items-center underline decoration-border underline-offset-4 hover:decoration-current";

const isUnread = ({ readAt, resolvedAt }: AlertRow): boolean => readAt === null && resolvedAt === null;

function useAlertColumns(): DataColumn<AlertRow>[] {
  const { timeZone } = useHotel();
  const seesLocks = useCan()("locks.view");

  return useMemo(
    () =>
      listColumns<"alerts", AlertRow>("alerts", {
        text: {
          fixed: true,
          card: "title",
          className: "min-w-72 max-w-2xl",
          cell: (row) => <AlertCell row={row} text={alertText(row, timeZone)} />,
        },
        door: { cell: (row) => <DoorCell row={row} seesLocks={seesLocks} /> },
        state: {
          cell: ({ resolvedAt }) => (
            <StatusChip tone={resolvedAt ? "neutral" : "expired"} size="sm">
              {resolvedAt ? t("alert.settled") : t("alert.open")}
            </StatusChip>
          ),
        },
        count: { align: "end", cell: ({ count }) => <span className="tabular-nums">{formatNumber(count)}</span> },
        last: {
          className: "whitespace-nowrap",
          cell: ({ lastAt }) => (
            <time dateTime={lastAt} title={formatDateTime(lastAt, timeZone)}>
              {formatRelative(lastAt)}
            </time>
          ),
        },
        first: {
          className: "whitespace-nowrap",
          cell: ({ firstAt }) => <time dateTime={firstAt}>{formatDateTime(firstAt, timeZone)}</time>,
        },
      }),
    [timeZone, seesLocks],
  );
}

function AlertCell({ row, text }: { row: AlertRow; text: string }) {
  const Icon = ALERT_ICONS[row.kind];
  const unread = isUnread(row);
  return (
    <div className="flex items-start gap-3 text-base font-normal">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", unread ? "text-expired" : "text-muted-foreground")} />
      <div className="min-w-0">
        <p className={cn(unread && "font-semibold")}>
          {t(`alert.kind.${row.kind}`)}
          {unread && (
            <span className="ms-2 inline-block size-2 rounded-full bg-destructive align-middle">
              <span className="sr-only">{t("alert.unread")}</span>
            </span>
          )}
        </p>
        <p className="text-sm text-pretty text-muted-foreground">{text}</p>
      </div>
    </div>
  );
}

function DoorCell({ row: { kind, roomId, roomName, lockId }, seesLocks }: { row: AlertRow; seesLocks: boolean }) {
  const room =
    roomName !== null &&
    (roomId === null ? (
      <bdi>{roomName}</bdi>
    ) : (
      <Link to="/room/$roomId" params={{ roomId }} className={linkStyle}>
        <bdi>{roomName}</bdi>
      </Link>
    ));
  const lock = lockId !== null && seesLocks && (
    <Link to="/locks/$lockId" params={{ lockId }} className={linkStyle}>
      {t("room.lock")}
    </Link>
  );
  const keys = kind === "residual_keys" && seesLocks && (
    <Link to="/risk" className={linkStyle}>
      {t("nav.risk")}
    </Link>
  );
  if (!room && !lock) return "–";
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-3">
      {room}
      {lock}
      {keys}
    </span>
  );
}

const ALERT_ICONS: Record<AlertKind, LucideIcon> = {
  battery_low: BatteryLow,
  tamper: TriangleAlert,
  wrong_codes: Hash,
  lock_offline: Unplug,
  clock_drift: ClockAlert,
  records_lost: ListX,
  command_failed: CircleX,
  unmanaged_code: KeyRound,
  webhook_failing: Webhook,
  guest_message_failed: MailX,
  codes_again: History,
  residual_keys: DoorOpen,
  cards_to_rewrite: CreditCard,
  code_taken: Hash,
  emergency_opened: Siren,
  blocked_out: Ban,
  spare_opened: MailOpen,
  block_out_ended: Ban,
};

/** Returns the alert as a sentence. */
function alertText({ kind, params, roomName }: AlertRow, timeZone: string): string {
  const displayedParams = displayParams({ error: "", ...params, roomName: roomName ?? "" }, timeZone);
  return t(`locks.alert.${alertTextKey(kind, params)}`, {
    ...displayedParams,
    count: Number(params.count ?? 1),
  }).trim();
}

/** Lists alerts from locks that need attention. */
export function AlertListPage({ search }: { search: AlertSearch }) {
  return useCan()("alerts.view") ? <Alerts search={search} /> : <NoPermission />;
}

function Alerts({ search }: { search: AlertSearch }) {
  const list = useListState();
  const canManage = useCan()("alerts.manage");
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
          canManage && (
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
        actions={canManage ? actions : undefined}
        exportList={{ list: "alerts", filters: { state, kind: search.kind } }}
        empty={
          state === "open" && !search.kind
            ? { drawing: QuietBell, title: t("alert.none"), description: t("alert.noneText") }
            : { drawing: QuietBell, title: t("alert.noneFound") }
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
