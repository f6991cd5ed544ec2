import { addDays, addMonths, atLocal } from "@innkey/shared/hotel-time";
import type { Traffic } from "@innkey/shared/schemas/unlocks";
import { formatLocalDate, formatNumber, formatTime } from "@/lib/format.ts";
import type { TrafficBar } from "./traffic-bars.tsx";

export type TrafficSpan = "day" | "month";

const HOURS_PER_TICK = 3;
const DAYS_PER_TICK = 5;

const twoDigits = (figure: number): string => String(figure).padStart(2, "0");

/** The hours of a day or the days of a month, as bars. */
export function barsOf({ buckets }: Traffic, span: TrafficSpan, date: string, zone: string): TrafficBar[] {
  return buckets.map(({ bucket, opened, refused }) => {
    const figures = { key: bucket, opened, refused };
    if (span === "month") {
      const day = `${date.slice(0, 7)}-${twoDigits(bucket)}`;
      const from = atLocal(day, "00:00", zone);
      const to = atLocal(addDays(day, 1), "00:00", zone);
      const tick = bucket === 1 || bucket % DAYS_PER_TICK === 0 ? formatNumber(bucket) : "";
      return { ...figures, tick, when: formatLocalDate(day, { day: "numeric", month: "long" }), from, to };
    }
    const from = atLocal(date, `${twoDigits(bucket)}:00`, zone);
    const to =
      bucket === 23 ? atLocal(addDays(date, 1), "00:00", zone) : atLocal(date, `${twoDigits(bucket + 1)}:00`, zone);
    const tick = bucket % HOURS_PER_TICK === 0 ? formatNumber(bucket, { minimumIntegerDigits: 2 }) : "";
    return { ...figures, tick, when: `${formatTime(from, zone)} – ${formatTime(to, zone)}`, from, to };
  });
}

/** How many bars a span has; figures of another number belong to another span. */
export function barCount(date: string, span: TrafficSpan): number {
  return span === "day" ? 24 : Number(addDays(addMonths(`${date.slice(0, 7)}-01`, 1), -1).slice(8));
}

/** The same span before or after. */
export function stepped(date: string, span: TrafficSpan, by: 1 | -1): string {
  return span === "day" ? addDays(date, by) : addMonths(`${date.slice(0, 7)}-01`, by);
}

export const spanText = (date: string, span: TrafficSpan): string =>
  formatLocalDate(date, span === "day" ? { dateStyle: "full" } : { month: "long", year: "numeric" });
