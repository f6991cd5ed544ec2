import { addDays, atLocal } from "@innkey/shared/hotel-time";
import { hotelToday } from "../format.ts";
import { isLocalDate, type QuickRange } from "../search-params.ts";

/**
 * Returns the hotel-local days of a quick range as instants; `to` is exclusive. "A week ago" runs from that day through
 * today.
 */
export function rangeOf(range: QuickRange | undefined, zone: string): { from?: string; to?: string } {
  if (!range) return {};
  const today = hotelToday(zone);
  const first = { today, yesterday: addDays(today, -1), week: addDays(today, -7) }[range];
  const end = range === "yesterday" ? today : addDays(today, 1);
  return { from: atLocal(first, "00:00", zone), to: atLocal(end, "00:00", zone) };
}

/** Returns one hotel-local day as instants with an exclusive `to`; nothing for an invalid date. */
export function dayRange(day: string, zone: string): { from?: string; to?: string } {
  if (!isLocalDate(day)) return {};
  return { from: atLocal(day, "00:00", zone), to: atLocal(addDays(day, 1), "00:00", zone) };
}
