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

/** What a clock on the hotel's wall shows at an instant, as if it hung in Greenwich: milliseconds. */
function wallTime(now: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

/** The hotel-local date of an instant in milliseconds, "YYYY-MM-DD". Without Temporal, which the first load does not carry. */
export function hotelDate(now: number, zone: string): string {
  return new Date(wallTime(now, zone)).toISOString().slice(0, 10);
}

/** The hotel's next midnight, in milliseconds; where the clock skips it, the moment of the skip. */
export function nextMidnight(now: number, zone: string): number {
  const second = Math.floor(now / 1000) * 1000;
  const offsetAt = (instant: number): number => wallTime(instant, zone) - instant;
  const wallNow = new Date(wallTime(second, zone));
  const midnight = Date.UTC(wallNow.getUTCFullYear(), wallNow.getUTCMonth(), wallNow.getUTCDate() + 1);
  const withOffsetOfNow = midnight - offsetAt(second);
  const midnightInstant = midnight - offsetAt(withOffsetOfNow);
  return wallTime(midnightInstant, zone) < midnight ? withOffsetOfNow : midnightInstant;
}
