import type { NoticeState } from "@innkey/shared/schemas/messaging/messages";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, CircleX, Clock, Eraser, LockKeyhole, type LucideIcon, Send } from "lucide-react";
import { useMemo } from "react";
import { lockErrorText, nextTryText } from "@/entities/lock/lock-words.ts";
import { collator } from "@/entities/room/room-groups.ts";
import { formatRelative } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { trpc } from "@/lib/trpc.ts";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import type { DataColumn, RowAction } from "@/ui/table/columns.ts";
import { DataTable } from "@/ui/table/data-table.tsx";

const LOOKS: Record<NonNullable<NoticeState["state"]>, { tone: StatusTone; icon: LucideIcon }> = {
  queued: { tone: "neutral", icon: Clock },
  sent: { tone: "info", icon: Send },
  acknowledged: { tone: "success", icon: CircleCheck },
  failed: { tone: "danger", icon: CircleX },
  expired: { tone: "danger", icon: CircleX },
  superseded: { tone: "neutral", icon: Ban },
};

/** Lists the text sent to each lock's display, and whether the lock has confirmed it. */
export function NoticeStates() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(trpc.hotel.notices.queryOptions());
  const clear = useMutation(trpc.hotel.sendNotice.mutationOptions());
  const columns = useMemo(
    (): DataColumn<NoticeState>[] => [
      {
        id: "room",
        header: t("notices.room"),
        fixed: true,
        card: "title",
        cell: (row) => <bdi className="font-medium">{row.roomName}</bdi>,
      },
      {
        id: "text",
        header: t("notices.label"),
        cell: (row) =>
          row.text ? (
            <bdi className="line-clamp-2 text-pretty">{row.text}</bdi>
          ) : (
            <span className="text-muted-foreground">{t("notices.nothing")}</span>
          ),
      },
      { id: "state", header: t("notices.state"), card: "status", cell: (row) => <NoticeStatus row={row} /> },
    ],
    [t],
  );
  const actions = (row: NoticeState): RowAction<NoticeState>[] =>
    row.text === "" || row.cannot
      ? []
      : [
          {
            label: t("notices.clearOne"),
            icon: Eraser,
            onSelect: ({ roomId }) => clear.mutate({ to: { kind: "rooms", roomIds: [roomId] }, text: "" }),
          },
        ];
  // Rows with a text come first, because a large hotel has many locks without one.
  const rows = useMemo(
    () => data?.toSorted((a, b) => hasText(a) - hasText(b) || collator.compare(a.roomName, b.roomName)),
    [data],
  );
  return (
    <DataTable
      label={t("notices.tab")}
      columns={columns}
      rows={rows}
      rowId={(row) => String(row.roomId)}
      error={error}
      onRetry={() => void refetch()}
      actions={actions}
      empty={{ icon: LockKeyhole, title: t("notices.empty"), description: t("notices.emptyText") }}
    />
  );
}

const hasText = ({ text, state }: NoticeState): number => (text === "" && !state ? 1 : 0);

function NoticeStatus({ row: { cannot, state, text, at, error, nextTryAt, online } }: { row: NoticeState }) {
  const { t } = useTranslation();
  if (cannot) return <span className="text-sm text-muted-foreground">{t(`notices.reason.${cannot}`)}</span>;
  if (!state || !at) return <span className="text-sm text-muted-foreground">{t("notices.never")}</span>;
  const cleared = state === "acknowledged" && text === "";
  const why = [lockErrorText(error), nextTryText(nextTryAt, online)].filter(Boolean).join(" ");
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      <StatusChip {...LOOKS[state]} size="sm">
        {cleared ? t("notices.cleared") : t(`notices.standing.${state}`)}
      </StatusChip>
      <span className="text-xs text-muted-foreground">{formatRelative(at)}</span>
      {why && <span className="basis-full text-xs text-muted-foreground">{why}</span>}
    </span>
  );
}
