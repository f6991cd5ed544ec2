import { addDays, atLocal } from "@innkey/shared/hotel-time";
import { hotelToday } from "@/lib/format.ts";
import type { UnlockRange } from "./room-search.ts";

/** A quick range as instants, by the hotel's days: today, yesterday, since a week ago. */
export function instantsOf(range: UnlockRange, zone: string): { from?: string; to?: string } {
  const today = hotelToday(zone);
  const midnight = (days: number): string => atLocal(addDays(today, days), "00:00", zone);
  if (range === "today") return { from: midnight(0), to: midnight(1) };
  if (range === "yesterday") return { from: midnight(-1), to: midnight(0) };
  return range === "week" ? { from: midnight(-7), to: midnight(1) } : {};
}
