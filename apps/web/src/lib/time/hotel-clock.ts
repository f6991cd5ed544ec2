const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const cached =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("en-u-hc-h23", {
      timeZone: zone,
      ...{ year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    });
  clocks.set(zone, cached);
  return cached;
}

/** Returns the hotel's local time at an instant as if it were UTC, in milliseconds. */
function wallTime(now: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

/**
 * Returns the hotel-local date of an instant in milliseconds, "YYYY-MM-DD". It works without Temporal, which the first
 * load doesn't contain.
 */
export function hotelDate(now: number, zone: string): string {
  return new Date(wallTime(now, zone)).toISOString().slice(0, 10);
}

/** Returns the hotel's next midnight in milliseconds, or the moment of the skip if daylight saving time skips it. */
export function nextMidnight(now: number, zone: string): number {
  const second = Math.floor(now / 1000) * 1000;
  const offsetAt = (instant: number): number => wallTime(instant, zone) - instant;
  const wallNow = new Date(wallTime(second, zone));
  const midnight = Date.UTC(wallNow.getUTCFullYear(), wallNow.getUTCMonth(), wallNow.getUTCDate() + 1);
  const withOffsetOfNow = midnight - offsetAt(second);
  const midnightInstant = midnight - offsetAt(withOffsetOfNow);
  return wallTime(midnightInstant, zone) < midnight ? withOffsetOfNow : midnightInstant;
}
