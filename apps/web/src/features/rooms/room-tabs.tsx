import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import type { guestRow } from "@innkey/shared/schemas/stays/stays";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Coffee, DoorClosed, type LucideIcon, Megaphone, NotebookText } from "lucide-react";
import { useMemo } from "react";
import type { z } from "zod";
import { useRoomActions } from "@/entities/room/room-actions.ts";
import { RoomStatusChip } from "@/entities/room/room-status.tsx";
import { useStayActions } from "@/entities/stay/stay-actions.tsx";
import { formatDateTime, formatDuration } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-parts.tsx";
import { EmptyCorridor } from "@/ui/drawings.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";
import { StatusChip, type StatusTone } from "@/ui/status-chip.tsx";
import { DataTable } from "@/ui/table/data-table.tsx";
import { useListState } from "@/ui/table/list-search.ts";
import type { DataColumn } from "@/ui/table/table-model.ts";

/** Shows the room's status with its reason, and the statuses that can be set by hand. */
export function RoomStatusPanel({ room, onMaintenance }: { room: RoomDetail; onMaintenance: () => void }) {
  const { timeZone } = useHotel();
  const { status: changes } = useRoomActions(onMaintenance)(room);
  const { maintenance } = room;
  return (
    <Card className="max-w-3xl">
      <CardHeading
        title={t("status.now")}
        actions={<RoomStatusChip status={room.status} />}
        description={t(`status.why.${room.status}`)}
      />
      <CardContent>
        {maintenance && (
          <dl className="mb-4 grid gap-1 rounded-md bg-sunken px-4 py-3">
            <div className="flex justify-between gap-4">
              <dt className="text-muted-foreground">{t("status.until")}</dt>
              <dd>
                {maintenance.endsAt ? formatDateTime(maintenance.endsAt, timeZone) : t("board.untilFurtherNotice")}
              </dd>
            </div>
            <div className="flex justify-between gap-4">
              <dt className="text-muted-foreground">{t("status.note")}</dt>
              <dd className="text-end">{maintenance.note || "–"}</dd>
            </div>
          </dl>
        )}
        <ul className="divide-y border-t">
          {changes.map((change) => (
            <li key={change.id} className="flex min-h-16 items-center gap-4 py-3 max-sm:flex-wrap max-sm:gap-y-2">
              <change.icon aria-hidden className="size-5 shrink-0 text-muted-foreground" />
              <p className="min-w-0 flex-1 text-muted-foreground max-sm:basis-3/4">{t(`status.does.${change.id}`)}</p>
              <ActionButton variant="outline" onClick={change.onSelect} className="max-sm:ms-9">
                {change.label}
              </ActionButton>
            </li>
          ))}
        </ul>
        {room.current && <p className="border-t pt-3 text-sm text-muted-foreground">{t("status.occupiedNote")}</p>}
      </CardContent>
    </Card>
  );
}

/** Texts about a room: its description, the guests' notice, and its lock's display text. */
export function RoomNotes({ room }: { room: Pick<RoomDetail, "description" | "notice" | "bulletin"> }) {
  const notes: [LucideIcon, string, string][] = [
    [NotebookText, t("room.description"), room.description],
    [Megaphone, t("room.notice"), room.notice],
    [DoorClosed, t("room.bulletin"), room.bulletin],
  ];
  const visibleNotes = notes.filter(([, , text]) => text !== "");
  if (visibleNotes.length === 0) return null;
  return (
    <dl className="mb-4 grid gap-x-6 gap-y-2 rounded-md bg-sunken px-4 py-3 lg:auto-cols-fr lg:grid-flow-col">
      {visibleNotes.map(([Icon, label, text]) => (
        <div key={label} className="min-w-0">
          <dt className="flex items-center gap-1.5 text-sm text-muted-foreground">
            <Icon aria-hidden className="size-3.5 shrink-0" />
            {label}
          </dt>
          <dd dir="auto" className="name-run line-clamp-4 whitespace-pre-line wrap-anywhere">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Tenant = z.infer<typeof guestRow>;

const TONES: Record<Tenant["state"], StatusTone> = {
  in: "checkedIn",
  expired: "expired",
  reserved: "reserved",
  out: "neutral",
  cancelled: "neutral",
  no_show: "neutral",
};

/** Lists all past, present and future guests of the room. */
export function RoomTenants({ roomId }: { roomId: number }) {
  const { timeZone } = useHotel();
  const stays = useStayActions();
  const list = useListState();
  const input = { roomId, page: list.page, pageSize: list.pageSize };
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.guests.list.queryOptions(input, { placeholderData: keepPreviousData }),
  );

  const columns = useMemo(
    (): DataColumn<Tenant>[] => [
      { id: "name", header: t("room.tenant"), fixed: true, card: "title", cell: (row) => row.name },
      {
        id: "state",
        header: t("room.tenantState"),
        card: "status",
        cell: (row) => (
          <StatusChip tone={TONES[row.state]} size="sm">
            {t(`room.state.${row.state}`)}
          </StatusChip>
        ),
      },
      { id: "startsAt", header: t("room.checkIn"), cell: (row) => formatDateTime(row.startsAt, timeZone) },
      { id: "endsAt", header: t("room.checkOut"), cell: (row) => formatDateTime(row.endsAt, timeZone) },
      {
        id: "left",
        header: t("board.left"),
        align: "end",
        cell: (row) =>
          row.state === "in"
            ? formatDuration(Date.parse(row.endsAt) - Date.now())
            : row.state === "expired"
              ? t("status.overdue")
              : "–",
      },
      {
        id: "breakfast",
        header: t("board.breakfast"),
        cell: (row) =>
          row.breakfast ? (
            <Coffee aria-label={t("room.withBreakfast")} className="size-4 text-muted-foreground" />
          ) : (
            "–"
          ),
      },
      { id: "mobile", header: t("room.contact"), cell: (row) => <bdi>{row.mobile || "–"}</bdi> },
      {
        id: "otherInformation",
        header: t("room.otherInformation"),
        hidden: true,
        cell: (row) => row.otherInformation || "–",
      },
    ],
    [timeZone],
  );

  return (
    <DataTable
      label={t("room.tenants")}
      columns={columns}
      rows={data?.rows}
      total={data?.total}
      rowId={(row) => String(row.stayGuestId)}
      {...list.table}
      error={error}
      onRetry={() => void refetch()}
      stale={isPlaceholderData}
      onOpen={(row) => stays.openStay(row.stayGuestId, row.otherInformation)}
      empty={{ drawing: EmptyCorridor, title: t("room.noTenants"), description: t("room.noTenantsText") }}
    />
  );
}
