import { Temporal } from "temporal-polyfill";
import { DAY_MS } from "./durations.ts";
import type { StayUnit } from "./enums.ts";

/**
 * Time in the hotel's zone. Instants are ISO 8601 UTC strings ("2026-03-29T00:00:00.000Z"), dates "YYYY-MM-DD", times
 * of day "HH:mm". Local times use the hotel's IANA zone, so that days of 23 and 25 hours are correct.
 */
export type InstantIso = string;
export type LocalDate = string;

/** Names of zones that were found to exist: looking one up can take longer than the answer that contains it. */
const knownZones = new Set<string>();
/** More than there are zones; their names may be spelled in either case. */
const MAX_KNOWN_ZONES = 1_000;

export function isTimeZone(zone: string): boolean {
  if (knownZones.has(zone)) return true;
  try {
    const exists = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
    if (!exists || /^[+-]/.test(zone)) return false;
    if (knownZones.size < MAX_KNOWN_ZONES) knownZones.add(zone);
    return true;
  } catch {
    return false;
  }
}

function zoned(instant: InstantIso, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone);
}

function iso(time: Temporal.ZonedDateTime): InstantIso {
  return new Date(time.epochMilliseconds).toISOString();
}

/** Returns the hotel-local date of an instant. */
export function localDate(instant: InstantIso, zone: string): LocalDate {
  return zoned(instant, zone).toPlainDate().toString();
}

/** Returns the date whose night an instant belongs to: before `dayStartTime` it is still the previous date. */
export function businessDate(instant: InstantIso, zone: string, dayStartTime: string): LocalDate {
  const local = zoned(instant, zone);
  const date = local.toPlainDate();
  const early = Temporal.PlainTime.compare(local.toPlainTime(), Temporal.PlainTime.from(dayStartTime)) < 0;
  return (early ? date.subtract({ days: 1 }) : date).toString();
}

/**
 * Instants of local times, by time, date and zone: a timeline or a month of revenue asks for the same midnights again
 * and again, and Temporal takes longer for them than PostgreSQL for the rest.
 */
const knownInstants = new Map<string, InstantIso>();
const MAX_KNOWN_INSTANTS = 5_000;

/** Returns the instant of a local time of day on a date; a time that DST skips moves forward with the clock. */
export function atLocal(date: LocalDate, time: string, zone: string): InstantIso {
  const key = `${time} ${date} ${zone}`;
  const earlier = knownInstants.get(key);
  if (earlier !== undefined) return earlier;
  const plainTime = Temporal.PlainTime.from(time);
  const instant = iso(Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone, plainTime }));
  if (knownInstants.size >= MAX_KNOWN_INSTANTS) knownInstants.clear();
  knownInstants.set(key, instant);
  return instant;
}

/** Returns an instant as the value of a datetime-local input: "YYYY-MM-DDTHH:mm" in the hotel's zone. */
export function toLocalInput(instant: InstantIso, zone: string): string {
  return zoned(instant, zone).toPlainDateTime().toString({ smallestUnit: "minute" });
}

/** Returns the instant of a datetime-local input's value; null if the value is invalid. */
export function fromLocalInput(local: string, zone: string): InstantIso | null {
  try {
    return iso(Temporal.PlainDateTime.from(local).toZonedDateTime(zone));
  } catch {
    return null;
  }
}

/** Returns the start of a date in UTC, where all days are equally long. @throws RangeError */
function dayMs(date: LocalDate): number {
  const ms = date.length === "2026-01-01".length ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(ms)) throw new RangeError(`${date} is not a date`);
  return ms;
}

/** @throws RangeError */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(dayMs(date) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: LocalDate, to: LocalDate): number {
  return (dayMs(to) - dayMs(from)) / DAY_MS;
}

/** Returns 1 for Monday … 7 for Sunday. */
export function isoWeekday(date: LocalDate): number {
  return Temporal.PlainDate.from(date).dayOfWeek;
}

/**
 * Adds `amount` units in the hotel's zone: hours are elapsed hours, other units calendar units (31 Jan + 1 month =
 * 28/29 Feb).
 */
export function addUnits(instant: InstantIso, amount: number, unit: StayUnit, zone: string): InstantIso {
  const start = zoned(instant, zone);
  const duration = {
    hour: { hours: amount },
    day: { days: amount },
    month: { months: amount },
    year: { years: amount },
  }[unit];
  return iso(start.add(duration));
}

/** Returns the whole calendar months between two dates without passing the end: 31 Jan to 28 Feb is one. */
export function wholeMonths(from: LocalDate, to: LocalDate): number {
  const start = Temporal.PlainDate.from(from);
  const end = Temporal.PlainDate.from(to);
  let months = Math.max(0, (end.year - start.year) * 12 + end.month - start.month);
  while (months > 0 && Temporal.PlainDate.compare(start.add({ months }), end) > 0) months -= 1;
  return months;
}

export function addMonths(date: LocalDate, months: number): LocalDate {
  return Temporal.PlainDate.from(date).add({ months }).toString();
}

export function millisecondsBetween(from: InstantIso, to: InstantIso): number {
  return Date.parse(to) - Date.parse(from);
}
