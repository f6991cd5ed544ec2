import { addDays, atLocal } from "@innkey/shared/hotel-time";
import { hotelToday } from "@/lib/format.ts";
import type { RecordSearch } from "./record-search.ts";

/** The instants a search asks for; a quick range by the hotel's days: today, yesterday, since a week ago. */
export function periodOf({ range, from, to }: RecordSearch, zone: string): { from?: string; to?: string } {
  if (from !== undefined || to !== undefined) return { from, to };
  const today = hotelToday(zone);
  const midnight = (days: number): string => atLocal(addDays(today, days), "00:00", zone);
  if (range === "today") return { from: midnight(0), to: midnight(1) };
  if (range === "yesterday") return { from: midnight(-1), to: midnight(0) };
  return range === "week" ? { from: midnight(-7), to: midnight(1) } : {};
}
