import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { formatDuration, formatDurationShort, formatPrice, formatTime, formatWeekdayDate } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { isArriving, isOverdue } from "./room-state.ts";

export type RoomLabels = {
  overdue: boolean;
  /** Whether the next guests arrive today while the room's status doesn't show it. */
  arriving: boolean;
  /** Whether the room needs cleaning while it is occupied. */
  needsCleaning: boolean;
  /** The guest, the reason for maintenance, or the room's note. */
  mainText: string;
  /** Whether `mainText` is a guest. */
  isGuestName: boolean;
  /** End or start of the current state. */
  detail: string;
  /** The most important figure: the time left of a stay, otherwise the price. */
  figure: string;
  /** The exact figure if `figure` is rounded. */
  exactFigure: string | undefined;
  /** All texts, for screen readers. */
  label: string;
};

type Hotel = { timeZone: string; currency: string };

/** Returns the texts of a room's card, in hotel time. */
export function roomLabels(room: BoardRoom, clock: HotelClock, hotel: Hotel): RoomLabels {
  const { timeZone, currency } = hotel;
  const { current, next, maintenance, status } = room;
  const overdue = isOverdue(room, clock.now);
  const arriving = status !== "reserved" && isArriving(room, clock);

  const partyName = (stay: { guestName: string; guestCount: number }): string =>
    stay.guestCount > 1
      ? t("board.party", { name: `\u2068${stay.guestName}\u2069`, others: stay.guestCount - 1 })
      : stay.guestName;
  const formatSoon = (instant: string): string => {
    const today = Date.parse(instant) < clock.endOfToday && Date.parse(instant) > clock.endOfToday - 86_400_000;
    return today ? t("board.todayAt", { time: formatTime(instant, timeZone) }) : formatWeekdayDate(instant, timeZone);
  };

  function mainTexts(): Pick<RoomLabels, "mainText" | "detail" | "isGuestName"> {
    if (current) {
      const detail = overdue
        ? t("board.overdueSince", { when: formatSoon(current.endsAt) })
        : t("board.leaves", { when: formatSoon(current.endsAt) });
      return { mainText: partyName(current), detail, isGuestName: true };
    }
    if (status === "maintenance") {
      const until = maintenance?.endsAt
        ? t("board.until", { when: formatSoon(maintenance.endsAt) })
        : t("board.untilFurtherNotice");
      return { mainText: maintenance?.note ?? "", detail: until, isGuestName: false };
    }
    if (next && (status === "reserved" || arriving))
      return {
        mainText: partyName(next),
        detail: t("board.arrives", { when: formatSoon(next.startsAt) }),
        isGuestName: true,
      };
    return {
      mainText: room.remarkName,
      detail: next ? t("board.freeUntil", { when: formatSoon(next.startsAt) }) : "",
      isGuestName: false,
    };
  }

  const { mainText, detail, isGuestName } = mainTexts();
  const remainingMs = current && Date.parse(current.endsAt) - clock.now;
  const figure =
    remainingMs !== null
      ? formatDurationShort(remainingMs)
      : room.usualMinor === null
        ? ""
        : formatPrice(room.usualMinor, currency);
  const state = overdue ? t("status.overdue") : t(`status.${status}`);
  const rewrite = room.cardsToRewrite > 0 && t("board.cardsToRewrite");
  const label = [t("board.roomNamed", { name: room.name }), state, mainText, detail, rewrite]
    .filter(Boolean)
    .join(", ");
  return {
    overdue,
    arriving,
    needsCleaning: status !== "dirty" && room.condition === "dirty",
    mainText,
    detail,
    isGuestName,
    figure,
    exactFigure: remainingMs !== null ? formatDuration(remainingMs) : undefined,
    label,
  };
}
