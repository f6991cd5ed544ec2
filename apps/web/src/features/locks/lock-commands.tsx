import type { CommandRow } from "@innkey/shared/schemas/locks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Check, CircleX, Clock, CopyMinus, Hourglass, ListChecks, type LucideIcon, Send } from "lucide-react";
import { useMemo } from "react";
import { lockErrorText, nextTryText } from "@/entities/lock/lock-words.ts";
import { formatDateTime, formatRelative } from "@/lib/format.ts";
import { type Translate, useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { StatusChip, type StatusTone } from "@/ui/primitives/status-chip.tsx";
import type { DataColumn } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";

const REFRESH_MILLISECONDS = 3000;
const PAGE = 20;

const LOOKS: Record<CommandRow["state"], { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "neutral", icon: Clock },
  sent: { tone: "info", icon: Send },
  acknowledged: { tone: "success", icon: Check },
  failed: { tone: "danger", icon: CircleX },
  expired: { tone: "expired", icon: Hourglass },
  superseded: { tone: "neutral", icon: CopyMinus },
};

/** Lists the commands sent to the lock and their results, newest first. */
export function LockCommands({ lockId, online }: { lockId: number; online: boolean }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const log = useInfiniteQuery(
    trpc.locks.commands.infiniteQueryOptions(
      { lockId, limit: PAGE },
      { getNextPageParam: (page) => page.nextCursor, refetchInterval: REFRESH_MILLISECONDS },
    ),
  );
  const rows = useMemo(() => log.data?.pages.flatMap((page) => page.commands), [log.data]);
  const columns = useMemo(
    (): DataColumn<CommandRow>[] => [
      {
        id: "type",
        header: t("locks.log.what"),
        fixed: true,
        card: "title",
        cell: (row) => <span className="font-medium">{t(`locks.command.type.${row.type}`)}</span>,
      },
      {
        id: "state",
        header: t("locks.state"),
        card: "status",
        cell: (row) => (
          <StatusChip {...LOOKS[row.state]} size="sm">
            {t(`locks.command.state.${row.state}`)}
          </StatusChip>
        ),
      },
      {
        id: "createdAt",
        header: t("locks.log.when"),
        className: "whitespace-nowrap",
        cell: (row) => <time dateTime={row.createdAt}>{formatDateTime(row.createdAt, timeZone)}</time>,
      },
      { id: "by", header: t("locks.log.by"), cell: (row) => row.operatorName ?? t("locks.log.console") },
      { id: "note", header: t("locks.log.note"), cell: (row) => noteOf(t, online, row) || "–" },
    ],
    [t, timeZone, online],
  );
  return (
    <DataTable
      label={t("locks.log.title")}
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      error={log.error}
      onRetry={() => void log.refetch()}
      more={{ available: log.hasNextPage, loading: log.isFetchingNextPage, load: () => void log.fetchNextPage() }}
      empty={{ icon: ListChecks, title: t("locks.log.none") }}
      toolbar={<h2 className="text-lg font-semibold">{t("locks.log.title")}</h2>}
    />
  );
}

function noteOf(t: Translate, online: boolean, { state, error, nextTryAt, tries, endedAt }: CommandRow): string {
  const waits = state === "queued" || state === "sent";
  return [
    lockErrorText(error),
    waits && nextTryText(nextTryAt, online),
    waits && tries > 1 && t("locks.log.tries", { tries }),
    state === "acknowledged" && endedAt && formatRelative(endedAt),
  ]
    .filter(Boolean)
    .join(" · ");
}
