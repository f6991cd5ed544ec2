import type { AlertKind } from "@innkey/shared/enums";
import type { AlertRow } from "@innkey/shared/schemas/messaging/alerts";
import { Link } from "@tanstack/react-router";
import {
  BatteryLow,
  CircleX,
  ClockAlert,
  DoorOpen,
  Hash,
  History,
  KeyRound,
  ListX,
  type LucideIcon,
  TriangleAlert,
  Unplug,
  Webhook,
} from "lucide-react";
import { useMemo } from "react";
import { listColumns } from "@/entities/export/list-columns.ts";
import { spokenParams } from "@/entities/lock/lock-words.ts";
import { cn } from "@/lib/cn.ts";
import { formatDateTime, formatNumber, formatRelative } from "@/lib/format.ts";
import { t, useTranslation } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";

const linkStyle =
  "inline-flex min-h-6 items-center underline decoration-border underline-offset-4 hover:decoration-current";

const unreadNow = ({ readAt, resolvedAt }: AlertRow): boolean => readAt === null && resolvedAt === null;

export function useAlertColumns(): DataColumn<AlertRow>[] {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const seesLocks = useCan()("locks.view");

  return useMemo(
    () =>
      listColumns<"alerts", AlertRow>("alerts", {
        text: {
          fixed: true,
          card: "title",
          className: "min-w-72 max-w-2xl",
          cell: (row) => <What row={row} text={alertText(row, timeZone)} />,
        },
        door: { cell: (row) => <Door row={row} seesLocks={seesLocks} /> },
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
    [t, timeZone, seesLocks],
  );
}

function What({ row, text }: { row: AlertRow; text: string }) {
  const { t } = useTranslation();
  const Icon = ALERT_ICONS[row.kind];
  const unread = unreadNow(row);
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

function Door({ row: { kind, roomId, roomName, lockId }, seesLocks }: { row: AlertRow; seesLocks: boolean }) {
  const { t } = useTranslation();
  const room = roomId !== null && roomName !== null && (
    <Link to="/room/$roomId" params={{ roomId }} className={linkStyle}>
      <bdi>{roomName}</bdi>
    </Link>
  );
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
    <span className="inline-flex flex-wrap gap-x-3">
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
  codes_again: History,
  residual_keys: DoorOpen,
};

/** Returns the alert as a sentence. */
function alertText({ kind, params, roomName }: AlertRow, timeZone: string): string {
  const spoken = spokenParams({ error: "", ...params, roomName: roomName ?? "" }, timeZone);
  const text = kind === "unmanaged_code" && params.key ? "unmanaged_named" : kind;
  return t(`locks.alert.${text}`, { ...spoken, count: Number(params.count ?? 1) }).trim();
}
