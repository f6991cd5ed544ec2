import type { RoomDetail } from "@innkey/shared/schemas/property/rooms";
import { DoorClosed, type LucideIcon, Megaphone, NotebookText } from "lucide-react";
import { useRoomActions } from "@/entities/room/room-actions.ts";
import { RoomStatusChip } from "@/entities/room/room-status.tsx";
import { formatDateTime } from "@/lib/format.ts";
import { useTranslation } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { CardHeading } from "@/ui/card-heading.tsx";
import { Card, CardContent } from "@/ui/primitives/card.tsx";

/** Shows the room's status with its reason, and the statuses that can be set by hand. */
export function RoomStatusPanel({ room, onMaintenance }: { room: RoomDetail; onMaintenance: () => void }) {
  const { t } = useTranslation();
  const { timeZone } = useHotel();
  const { status: changes } = useRoomActions(onMaintenance)(room);
  const { maintenance } = room;
  return (
    <Card className="max-w-2xl">
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
  const { t } = useTranslation();
  const notes: [LucideIcon, string, string][] = [
    [NotebookText, t("room.description"), room.description],
    [Megaphone, t("room.notice"), room.notice],
    [DoorClosed, t("room.bulletin"), room.bulletin],
  ];
  const written = notes.filter(([, , text]) => text !== "");
  if (written.length === 0) return null;
  return (
    <dl className="mb-4 grid gap-x-6 gap-y-2 rounded-md bg-sunken px-4 py-3 lg:grid-cols-3">
      {written.map(([Icon, label, text]) => (
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
