import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { roomGroups } from "@/entities/room/board-query.ts";
import { isArriving } from "@/entities/room/room-state.ts";
import { formatFullDateTime, formatNumber, formatTime, joinItems } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useHotel } from "@/lib/session.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { PaperTable, PaperTitle } from "@/ui/paper.tsx";
import { PrintSheet, usePrinting } from "@/ui/printing.tsx";

type HousekeepingSheetProps = { board: Board; clock: HotelClock; onPrinted: () => void };

/** The rooms that need a hand today, by group: what has to be cleaned, who leaves, and who comes. */
export default function HousekeepingSheet({ board, clock, onPrinted }: HousekeepingSheetProps) {
  const { name, timeZone } = useHotel();
  usePrinting(true, onPrinted);
  const groups = roomGroups(board, "", t("stay.noGroup"))
    .map((group) => ({ ...group, rooms: group.rooms.filter((room) => tasksOf(room, clock, timeZone).length > 0) }))
    .filter(({ rooms }) => rooms.length > 0);
  return (
    <PrintSheet>
      <PaperTitle
        title={`${name} · ${t("paper.housekeeping")}`}
        detail={formatFullDateTime(new Date(clock.now).toISOString(), timeZone)}
      />
      {groups.length === 0 && <p>{t("paper.nothing")}</p>}
      {groups.map((group) => (
        <section key={group.id ?? "none"}>
          <h2 className="mb-1 font-semibold">{group.name}</h2>
          <PaperTable
            columns={[t("board.room"), t("paper.toDo"), t("paper.people"), t("paper.note"), t("paper.done")]}
            rows={group.rooms.map((room) => [
              room.name,
              joinItems(tasksOf(room, clock, timeZone)),
              formatNumber((isArriving(room, clock) ? room.next : room.current)?.guestCount ?? 0),
              [room.remarkName, room.maintenance?.note].filter(Boolean).join(" · "),
              "☐",
            ])}
          />
        </section>
      ))}
    </PrintSheet>
  );
}

/** Returns what housekeeping has to know of a room today; nothing if it needs no hand. */
function tasksOf(room: BoardRoom, clock: HotelClock, timeZone: string): string[] {
  const { current, next, condition, status } = room;
  const tasks: string[] = [];
  if (current && Date.parse(current.endsAt) < clock.endOfToday)
    tasks.push(t("paper.leaves", { at: formatTime(current.endsAt, timeZone) }));
  else if (condition === "dirty" && status !== "maintenance") tasks.push(t("paper.dirty"));
  if (next && isArriving(room, clock)) tasks.push(t("paper.arrives", { at: formatTime(next.startsAt, timeZone) }));
  return tasks;
}
