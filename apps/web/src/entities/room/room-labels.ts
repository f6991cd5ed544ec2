import { DAY_MS } from "@innkey/shared/durations";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import {
  formatDayBriefly,
  formatDuration,
  formatDurationShort,
  formatPrice,
  formatTime,
  formatWeekdayDate,
} from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { isArriving, isOverdue } from "./room-state.ts";
import { shortNameOf } from "./surname.ts";

export type RoomLabels = {
  overdue: boolean;
  /** Whether the next guests arrive today while the room's status doesn't show it. */
  arriving: boolean;
  /** Whether the room needs cleaning while it is occupied. */
  needsCleaning: boolean;
  /** The guest, the reason for maintenance, or the room's note. */
  mainText: string;
  /** The same for a narrow card: of a guest only the surname. */
  shortText: string;
  /** Whether `mainText` is a guest. */
  isGuestName: boolean;
  /** End or start of the current state. */
  detail: string;
  /** The same in few letters: when somebody leaves or arrives, or until when the room is closed. */
  brief: { kind: "leaves" | "arrives" | "until"; text: string } | null;
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

  const partyName = (name: string, { guestCount }: { guestCount: number }): string =>
    guestCount > 1 ? t("board.party", { name: `\u2068${name}\u2069`, others: guestCount - 1 }) : name;
  const guestTexts = (stay: { guestName: string; guestCount: number }) => ({
    mainText: partyName(stay.guestName, stay),
    shortText: partyName(shortNameOf(stay.guestName), stay),
    isGuestName: true,
  });
  const isToday = (instant: string): boolean =>
    Date.parse(instant) < clock.endOfToday && Date.parse(instant) > clock.endOfToday - DAY_MS;
  const formatSoon = (instant: string): string =>
    isToday(instant)
      ? t("board.todayAt", { time: formatTime(instant, timeZone) })
      : formatWeekdayDate(instant, timeZone);
  const briefly = <Kind extends string>(kind: Kind, instant: string) => ({
    kind,
    text: isToday(instant) ? formatTime(instant, timeZone) : formatDayBriefly(instant, timeZone, clock.now),
  });

  function mainTexts(): Pick<RoomLabels, "mainText" | "shortText" | "detail" | "brief" | "isGuestName"> {
    if (current) {
      const detail = overdue
        ? t("board.overdueSince", { when: formatSoon(current.endsAt) })
        : t("board.leaves", { when: formatSoon(current.endsAt) });
      return { ...guestTexts(current), detail, brief: briefly("leaves", current.endsAt) };
    }
    if (status === "maintenance") {
      const until = maintenance?.endsAt
        ? t("board.until", { when: formatSoon(maintenance.endsAt) })
        : t("board.untilFurtherNotice");
      const note = maintenance?.note ?? "";
      const brief = maintenance?.endsAt ? briefly("until", maintenance.endsAt) : null;
      return { mainText: note, shortText: note, detail: until, brief, isGuestName: false };
    }
    if (next && (status === "reserved" || arriving))
      return {
        ...guestTexts(next),
        detail: t("board.arrives", { when: formatSoon(next.startsAt) }),
        brief: briefly("arrives", next.startsAt),
      };
    return {
      mainText: room.remarkName,
      shortText: room.remarkName,
      detail: next ? t("board.freeUntil", { when: formatSoon(next.startsAt) }) : "",
      brief: next ? briefly("arrives", next.startsAt) : null,
      isGuestName: false,
    };
  }

  const { mainText, shortText, detail, brief, isGuestName } = mainTexts();
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
    shortText,
    detail,
    brief,
    isGuestName,
    figure,
    exactFigure: remainingMs !== null ? formatDuration(remainingMs) : undefined,
    label,
  };
}
