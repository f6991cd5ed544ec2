import { HOUR_MS, MINUTE_MS } from "@innkey/shared/durations";
import type { StayUnit } from "@innkey/shared/enums";
import {
  addDays,
  addMonths,
  addUnits,
  atLocal,
  businessDate,
  daysBetween,
  type InstantIso,
  localDate,
  millisecondsBetween,
  wholeMonths,
} from "@innkey/shared/hotel-time";
import { nightsOf, type Period } from "@innkey/shared/price-rules";
import type { Me } from "@/lib/session.ts";

type Hotel = Me["hotel"];

function wholeMinute(instant: number): InstantIso {
  return new Date(Math.floor(instant / MINUTE_MS) * MINUTE_MS).toISOString();
}

/** Returns when a stay of `quantity` units from `startsAt` ends: hours to the minute, other units at check-out time. */
export function departureAfter(startsAt: InstantIso, quantity: number, unit: StayUnit, hotel: Hotel): InstantIso {
  if (unit === "hour") return addUnits(startsAt, quantity, "hour", hotel.timeZone);
  const first = businessDate(startsAt, hotel.timeZone, hotel.dayStartTime);
  const last =
    unit === "day" ? addDays(first, quantity) : addMonths(first, unit === "month" ? quantity : quantity * 12);
  return atLocal(last, hotel.checkOutTime, hotel.timeZone);
}

/** Returns the number of units in a period: started hours, nights, whole months or years. */
export function quantityOf(period: Period, unit: StayUnit, hotel: Hotel): number {
  if (unit === "hour") return Math.max(0, Math.ceil(millisecondsBetween(period.startsAt, period.endsAt) / HOUR_MS));
  const { first, end } = nightsOf(period, hotel);
  if (unit === "day") return daysBetween(first, end);
  return Math.floor(wholeMonths(first, end) / (unit === "year" ? 12 : 1));
}

/** Returns the default period of one night: a walk-in arrives now, a reservation at the next check-in time. */
export function firstPeriod(kind: "checkIn" | "reserve", hotel: Hotel, now: number): Period {
  const today = localDate(new Date(now).toISOString(), hotel.timeZone);
  const todaysCheckIn = atLocal(today, hotel.checkInTime, hotel.timeZone);
  const nextCheckIn =
    Date.parse(todaysCheckIn) > now ? todaysCheckIn : atLocal(addDays(today, 1), hotel.checkInTime, hotel.timeZone);
  const startsAt = kind === "checkIn" ? wholeMinute(now) : nextCheckIn;
  return { startsAt, endsAt: departureAfter(startsAt, 1, "day", hotel) };
}

/**
 * Returns the departure after a renewal: `quantity` units after the planned one, or as many as it takes to be in the
 * future.
 */
export function laterDeparture(
  endsAt: InstantIso,
  quantity: number,
  unit: StayUnit,
  zone: string,
  now: number,
): InstantIso {
  let later = addUnits(endsAt, quantity, unit, zone);
  for (let more = quantity + 1; Date.parse(later) <= now; more += 1) later = addUnits(endsAt, more, unit, zone);
  return later;
}
