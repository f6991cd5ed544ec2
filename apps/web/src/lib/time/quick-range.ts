import { addDays, atLocal } from "@innkey/shared/hotel-time";
import { hotelToday } from "../format.ts";
import { type DayRange, isLocalDate } from "../search-params.ts";

/** The first and the last day of each quick range, counted from today. */
const DAYS: Record<DayRange, readonly [number, number]> = {
  today: [0, 0],
  tomorrow: [1, 1],
  next: [0, 7],
  yesterday: [-1, -1],
  week: [-7, 0],
};

/** Returns the hotel-local days of a quick range as instants; `to` is exclusive. */
export function rangeOf(range: DayRange | undefined, zone: string): { from?: string; to?: string } {
  if (!range) return {};
  const today = hotelToday(zone);
  const [first, last] = DAYS[range];
  return daysRange(addDays(today, first), addDays(today, last), zone);
}

/** Returns hotel-local days as instants; `to` is exclusive. A day that is missing leaves its side open. */
export function daysRange(
  first: string | undefined,
  last: string | undefined,
  zone: string,
): { from?: string; to?: string } {
  return {
    ...(first !== undefined && { from: atLocal(first, "00:00", zone) }),
    ...(last !== undefined && { to: atLocal(addDays(last, 1), "00:00", zone) }),
  };
}

/** Returns one hotel-local day as instants with an exclusive `to`; nothing for an invalid date. */
export const dayRange = (day: string, zone: string): { from?: string; to?: string } =>
  isLocalDate(day) ? daysRange(day, day, zone) : {};
