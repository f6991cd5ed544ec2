import { HOUR_MS } from "@innkey/shared/durations";
import { addDays, atLocal, localDate, toLocalInput } from "@innkey/shared/hotel-time";

/** How long a code works that isn't a guest's own. */
export const CODE_ENDS = ["hour", "twoHours", "today", "tomorrow", "date"] as const;
export type CodeEnd = (typeof CODE_ENDS)[number];

/** The end of a working day; a code made shortly before or after it works until the day is over. */
const EVENING = "18:00";
const DAY_OVER = "23:59";
const NOON = "12:00";

/** Returns the instant at which a code ends that is made now; null for one whose end is chosen. */
export function codeEndsAt(end: CodeEnd, now: number, timeZone: string): string | null {
  const instant = new Date(now).toISOString();
  const today = localDate(instant, timeZone);
  switch (end) {
    case "hour":
      return new Date(now + HOUR_MS).toISOString();
    case "twoHours":
      return new Date(now + 2 * HOUR_MS).toISOString();
    case "today": {
      const evening = atLocal(today, EVENING, timeZone);
      return Date.parse(evening) - now >= HOUR_MS ? evening : atLocal(today, DAY_OVER, timeZone);
    }
    case "tomorrow":
      return atLocal(addDays(today, 1), NOON, timeZone);
    case "date":
      return null;
  }
}

/** Returns whether a code for today would end within minutes, late in the evening. */
export const isDayOver = (now: number, timeZone: string): boolean =>
  toLocalInput(new Date(now).toISOString(), timeZone).slice(-5) >= "23:30";
