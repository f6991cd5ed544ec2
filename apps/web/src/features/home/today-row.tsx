import type { TodayStay } from "@innkey/shared/schemas/overview/today";
import { Link } from "@tanstack/react-router";
import {
  ArrowLeftRight,
  CalendarSync,
  Clock,
  CreditCard,
  DoorOpen,
  IdCard,
  KeyRound,
  type LucideIcon,
  Smartphone,
} from "lucide-react";
import { type StayActions, useStayActions } from "@/entities/stay/stay-actions.tsx";
import { cn } from "@/lib/cn.ts";
import { formatMoney, formatNumber, formatTime, formatTimeOfDay, formatWeekdayDate } from "@/lib/format.ts";
import { t } from "@/lib/i18n.ts";
import { useCan, useHotel } from "@/lib/session.ts";
import { hotelDate } from "@/lib/time/hotel-clock.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { ActionButton } from "@/ui/action/action-button.tsx";
import { IconButton } from "@/ui/action/icon-button.tsx";
import { StatusChip } from "@/ui/status-chip.tsx";
import type { TodayList } from "./today-search.ts";

type TodayRowProps = { stay: TodayStay; list: TodayList; clock: HotelClock };

/** A stay with its time, room and guest, what the desk looks at before it acts, and the act. */
export function TodayRow({ stay, list, clock }: TodayRowProps) {
  const { timeZone } = useHotel();
  const { stayGuestId, guestName, guestCount, roomId, roomName } = stay;
  const at = list === "arrivals" ? stay.startsAt : stay.endsAt;
  const isToday = hotelDate(Date.parse(at), timeZone) === hotelDate(clock.now, timeZone);
  const isLate = Date.parse(at) <= clock.now;
  return (
    <li data-room={roomId} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-2.5 lg:flex-nowrap">
      <p className="flex min-w-0 basis-full items-baseline gap-2.5 lg:min-w-66 lg:flex-1 lg:basis-0">
        <span
          className={cn(
            "min-w-20 shrink-0 text-sm whitespace-nowrap tabular-nums",
            isLate ? "font-medium text-expired" : "text-muted-foreground",
          )}
        >
          {isToday ? formatTime(at, timeZone) : formatWeekdayDate(at, timeZone)}
          {isLate && list !== "arrivals" && <span className="sr-only"> {t("status.overdue")}</span>}
        </span>
        <Link to="/room/$roomId" params={{ roomId }} className="figures min-w-10 shrink-0 text-lg hover:underline">
          <bdi>{roomName}</bdi>
        </Link>
        <Link
          to="/room/thetouristsDetails"
          search={{ id: stayGuestId }}
          dir="auto"
          className="name-run min-w-0 truncate hover:underline"
        >
          {guestName}
        </Link>
        {guestCount > 1 && (
          <span className="shrink-0 text-sm text-muted-foreground">
            <span aria-hidden>{formatNumber(guestCount - 1, { signDisplay: "always" })}</span>
            <span className="sr-only">{t("home.row.party", { count: guestCount - 1 })}</span>
          </span>
        )}
      </p>
      <Facts stay={stay} />
      <Acts stay={stay} list={list} />
    </li>
  );
}

/** Money, documents, key and the room of an arrival. What is in order is quiet. */
function Facts({ stay }: { stay: TodayStay }) {
  const { currency, timeZone } = useHotel();
  const { owedMinor, documentsMissing, key, room, lateUntil, preCheckIns, arrivalTime, checkedInByGuest } = stay;
  return (
    <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 text-sm lg:flex-initial lg:justify-end">
      {room !== null && room !== "ready" && (
        <StatusChip tone={room === "occupied" ? "checkedIn" : room} size="sm">
          {room === "occupied" ? t("home.row.occupied") : t(`status.${room}`)}
        </StatusChip>
      )}
      {lateUntil !== null && (
        <StatusChip tone="expired" icon={Clock} size="sm">
          {t("home.row.asksLate", { time: formatTime(lateUntil, timeZone) })}
        </StatusChip>
      )}
      {preCheckIns > 0 && (
        <StatusChip tone="expired" icon={Smartphone} size="sm">
          {t("home.row.preCheckIn")}
        </StatusChip>
      )}
      {checkedInByGuest && (
        <StatusChip tone="checkedIn" icon={Smartphone} size="sm">
          {t("home.row.byGuest")}
        </StatusChip>
      )}
      {arrivalTime !== null && (
        <span className="whitespace-nowrap">{t("home.row.arrivesAt", { time: formatTimeOfDay(arrivalTime) })}</span>
      )}
      {owedMinor !== null && (
        <span
          className={cn(
            "whitespace-nowrap lg:min-w-28 lg:text-end",
            owedMinor > 0 ? "font-medium text-expired" : "text-muted-foreground",
            "tabular-nums",
          )}
        >
          {owedMinor > 0
            ? t("home.row.owes", { amount: formatMoney(owedMinor, currency) })
            : owedMinor < 0
              ? t("home.row.credit", { amount: formatMoney(-owedMinor, currency) })
              : t("home.row.settled")}
        </span>
      )}
      {documentsMissing > 0 ? (
        <StatusChip tone="expired" icon={IdCard} size="sm">
          {documentsMissing === 1 ? t("home.row.noDocument") : t("home.row.noDocuments", { count: documentsMissing })}
        </StatusChip>
      ) : (
        <StatusChip tone="neutral" icon={IdCard} size="icon">
          {t("home.row.documents")}
        </StatusChip>
      )}
      {key === "again" ? (
        <StatusChip tone="expired" icon={CreditCard} size="sm">
          {t("board.writeAgain")}
        </StatusChip>
      ) : (
        // A missing key needs no words: guests who are due in have none yet, and those who stay have the act beside it.
        key === "written" && (
          <StatusChip tone="success" icon={KeyRound} size="sm">
            {t("home.row.key.written")}
          </StatusChip>
        )
      )}
    </p>
  );
}

type Act = { label: string; short: string; icon: LucideIcon; run: () => void };

/** The act that comes next for a stay on this list, and one that may be wanted in its place. */
function actsOf(
  { stayId, key, room }: TodayStay,
  list: TodayList,
  stays: StayActions,
  mayWrite: boolean,
): { first: Act; second: Act | null } {
  const extend = {
    label: t("board.renew"),
    short: t("board.renew"),
    icon: CalendarSync,
    run: () => stays.renew(stayId),
  };
  const checkOut = {
    label: t("board.checkOut"),
    short: t("board.short.checkOut"),
    icon: DoorOpen,
    run: () => stays.checkOut(stayId),
  };
  const change = {
    label: t("board.changeRoom"),
    short: t("board.changeRoom"),
    icon: ArrowLeftRight,
    run: () => stays.changeRoom(stayId),
  };
  if (list === "arrivals") {
    const arrive = {
      label: t("board.checkIn"),
      short: t("board.short.checkIn"),
      icon: KeyRound,
      run: () => stays.arrive(stayId),
    };
    return room === "occupied" || room === "maintenance"
      ? { first: change, second: null }
      : { first: arrive, second: change };
  }
  if (mayWrite && (key === "again" || (key === "none" && list === "inHouse"))) {
    const write = {
      label: t("board.newCard"),
      short: t("board.newCard"),
      icon: CreditCard,
      run: () => stays.writeCard(stayId),
    };
    return { first: write, second: list === "departures" ? checkOut : extend };
  }
  return list === "departures" ? { first: checkOut, second: extend } : { first: extend, second: checkOut };
}

function Acts({ stay, list }: { stay: TodayStay; list: TodayList }) {
  const can = useCan();
  const stays = useStayActions();
  if (!can("stays.manage")) return null;
  const { first, second } = actsOf(stay, list, stays, can("cards.issue"));
  // Begins with the visible label, so that a person who speaks it reaches the button.
  const named = ({ short }: Act): string =>
    t("home.row.act", { act: short, guest: stay.guestName, room: stay.roomName });
  return (
    <span className="flex shrink-0 items-center justify-end gap-1.5 lg:min-w-37 print:hidden">
      {second && (
        <IconButton
          icon={second.icon}
          label={named(second)}
          onClick={second.run}
          needsServer
          className="max-sm:hidden"
        />
      )}
      <ActionButton variant="outline" size="sm" onClick={first.run} aria-label={named(first)} title={first.label}>
        <first.icon aria-hidden />
        <span className="max-w-36 truncate">{first.short}</span>
      </ActionButton>
    </span>
  );
}
