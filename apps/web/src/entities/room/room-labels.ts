import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { formatDuration, formatPrice, formatRoughly, formatTime, formatWeekdayDate } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { isArriving, isOverdue } from "./room-state.ts";

export type RoomLabels = {
  overdue: boolean;
  /** Whether the next guests arrive today while the room's status doesn't show it. */
  arriving: boolean;
  /** Whether the room needs cleaning while it is occupied. */
  alsoDirty: boolean;
  /** The guest, the reason, or the kind of room. */
  first: string;
  /** Whether `first` is a guest. */
  named: boolean;
  /** End or start of the current state. */
  second: string;
  /** The most important figure: the time left of a stay, otherwise the price. */
  corner: string;
  /** The exact figure, where the corner shows it rounded. */
  cornerTitle: string | undefined;
  /** All of it, for screen readers. */
  label: string;
};

type Hotel = { timeZone: string; currency: string };

/** Returns the texts of a room's card, in hotel time. */
export function roomLabels(room: BoardRoom, clock: HotelClock, hotel: Hotel): RoomLabels {
  const { timeZone, currency } = hotel;
  const { current, next, maintenance, status } = room;
  const overdue = isOverdue(room, clock.now);
  const arriving = status !== "reserved" && isArriving(room, clock);

  const party = (stay: { guestName: string; guestCount: number }): string =>
    stay.guestCount > 1
      ? t("board.party", { name: `\u2068${stay.guestName}\u2069`, others: stay.guestCount - 1 })
      : stay.guestName;
  const soon = (instant: string): string => {
    const today = Date.parse(instant) < clock.endOfToday && Date.parse(instant) > clock.endOfToday - 86_400_000;
    return today ? t("board.todayAt", { time: formatTime(instant, timeZone) }) : formatWeekdayDate(instant, timeZone);
  };

  function lines(): Pick<RoomLabels, "first" | "second" | "named"> {
    if (current) {
      const second = overdue
        ? t("board.overdueSince", { when: soon(current.endsAt) })
        : t("board.leaves", { when: soon(current.endsAt) });
      return { first: party(current), second, named: true };
    }
    if (status === "maintenance") {
      const until = maintenance?.endsAt
        ? t("board.until", { when: soon(maintenance.endsAt) })
        : t("board.untilFurtherNotice");
      return { first: maintenance?.note ?? "", second: until, named: false };
    }
    if (next && (status === "reserved" || arriving))
      return { first: party(next), second: t("board.arrives", { when: soon(next.startsAt) }), named: true };
    return {
      first: room.remarkName,
      second: next ? t("board.freeUntil", { when: soon(next.startsAt) }) : "",
      named: false,
    };
  }

  const { first, second, named } = lines();
  const left = current && Date.parse(current.endsAt) - clock.now;
  const corner =
    left !== null ? formatRoughly(left) : room.usualMinor === null ? "" : formatPrice(room.usualMinor, currency);
  const state = overdue ? t("status.overdue") : t(`status.${status}`);
  const label = [t("board.roomNamed", { name: room.name }), state, first, second].filter(Boolean).join(", ");
  return {
    overdue,
    arriving,
    alsoDirty: status !== "dirty" && room.condition === "dirty",
    first,
    second,
    named,
    corner,
    cornerTitle: left !== null ? formatDuration(left) : undefined,
    label,
  };
}
