import { addDays, atLocal, toLocalInput } from "@innkey/shared/hotel-time";

/** Times of day in which no message goes out, "HH:mm" in the hotel's zone; they may include midnight. */
export interface QuietHours {
  from: string;
  to: string;
}

/** Returns the end of the quiet hours at `now`; null if `now` is outside of them. */
export function endOfQuiet(now: Date, quiet: QuietHours | null, timeZone: string): Date | null {
  if (!quiet) return null;
  const [date = "", time = ""] = toLocalInput(now.toISOString(), timeZone).split("T");
  const { from, to } = quiet;
  const includesMidnight = from > to;
  const isEvening = includesMidnight && time >= from;
  const isQuiet = includesMidnight ? isEvening || time < to : time >= from && time < to;
  return isQuiet ? new Date(atLocal(isEvening ? addDays(date, 1) : date, to, timeZone)) : null;
}
