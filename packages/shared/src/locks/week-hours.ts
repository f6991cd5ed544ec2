import { z } from "zod";
import { addDays, atLocal, isoWeekday, localDate, toLocalInput } from "../hotel-time.ts";
import * as f from "../schemas/fields.ts";

/** Most parts of a week that a lock stores for one key. */
export const MAX_HOURS = 7;
const DAYS = 7;
const DAY_MINUTES = 1_440;
const WEEK_MINUTES = DAYS * DAY_MINUTES;

/**
 * A part of the week. `days` are those on which it begins, 1 Monday to 7 Sunday. If `to` isn't later than `from`, it ends
 * on the next day, so equal times are a whole day.
 */
export const hoursPeriod = z.object({
  days: z
    .array(z.int({ error: f.v.choice }).min(1, f.v.choice).max(DAYS, f.v.choice), { error: f.v.required })
    .min(1, f.v.required)
    .max(DAYS, f.v.choice)
    .transform((days) => [...new Set(days)].sort((a, b) => a - b)),
  /** HH:mm in the hotel's time zone */
  from: f.timeOfDay,
  to: f.timeOfDay,
});
export type HoursPeriod = z.infer<typeof hoursPeriod>;

/** The days and hours at which a key opens; none: at any time. */
export const weekHours = z.array(hoursPeriod).max(MAX_HOURS, f.v.tooManyHours);
export type WeekHours = z.infer<typeof weekHours>;

function minuteOfDay(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return 60 * hour + minute;
}

function lengthOf({ from, to }: HoursPeriod): number {
  const minutes = minuteOfDay(to) - minuteOfDay(from);
  return minutes > 0 ? minutes : minutes + DAY_MINUTES;
}

/** Checks whether a minute of the week, counted from Monday 00:00, is within the hours. */
function isMinuteWithin(hours: WeekHours, minute: number): boolean {
  if (hours.length === 0) return true;
  return hours.some((period) =>
    period.days.some((day) => {
      const start = (day - 1) * DAY_MINUTES + minuteOfDay(period.from);
      return (minute - start + WEEK_MINUTES) % WEEK_MINUTES < lengthOf(period);
    }),
  );
}

/** Checks whether an instant (ISO 8601) is within the hours, by the clock on the wall in the time zone. */
export function isWithinHours(hours: WeekHours, instant: string, timeZone: string): boolean {
  if (hours.length === 0) return true;
  const [date = "", time = ""] = toLocalInput(instant, timeZone).split("T");
  return isMinuteWithin(hours, (isoWeekday(date) - 1) * DAY_MINUTES + minuteOfDay(time));
}

/** Returns the next instant after the given one at which a part of the hours begins; null for any time. */
export function nextStart(hours: WeekHours, instant: string, timeZone: string): string | null {
  const today = localDate(instant, timeZone);
  const starts = Array.from({ length: DAYS + 1 }, (_, ahead) => addDays(today, ahead)).flatMap((date) =>
    hours.filter(({ days }) => days.includes(isoWeekday(date))).map(({ from }) => atLocal(date, from, timeZone)),
  );
  return starts.filter((start) => start > instant).sort()[0] ?? null;
}

/** Checks whether `hours` includes every minute of `others`. */
export function includesHours(hours: WeekHours, others: WeekHours): boolean {
  if (hours.length === 0) return true;
  for (let minute = 0; minute < WEEK_MINUTES; minute += 1)
    if (isMinuteWithin(others, minute) && !isMinuteWithin(hours, minute)) return false;
  return true;
}

/** Checks whether both are the same list, in the same order. */
export const isSameHours = (a: WeekHours, b: WeekHours): boolean =>
  JSON.stringify(a.map(partsOf)) === JSON.stringify(b.map(partsOf));
const partsOf = ({ days, from, to }: HoursPeriod) => [days.toSorted((a, b) => a - b), from, to];
