/** Reads one value of a URL's search; undefined if it is missing or invalid. */
type Reader<Value> = (raw: unknown) => Value | undefined;

type Search<Readers> = { [Name in keyof Readers]?: Readers[Name] extends Reader<infer Value> ? Value : never };

export type SearchOf<Validate extends (raw: Record<string, unknown>) => unknown> = ReturnType<Validate>;

export function oneOf<const Value extends string | number>(values: readonly Value[]): Reader<Value> {
  return (raw) => values.find((value) => value === raw);
}

/** Reads text that is not a bare number. A search text typed by hand can be one: use `anyText` for that. */
export function text(longest: number): Reader<string> {
  return (raw) => (typeof raw === "string" && raw.length <= longest ? raw : undefined);
}

export function anyText(longest: number): Reader<string> {
  const read = text(longest);
  return (raw) => read(typeof raw === "number" ? String(raw) : raw);
}

/** Reads text of the format that the server accepts, on a day that exists; anything else is ignored. */
function shaped(pattern: RegExp): Reader<string> {
  return (raw) => (typeof raw === "string" && pattern.test(raw) && isOnRealDay(raw) ? raw : undefined);
}

/** Browsers read 30 February as 2 March, and calculating with such a day fails. */
function isOnRealDay(iso: string): boolean {
  const time = Date.parse(iso);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === iso.slice(0, 10);
}

/** An instant in UTC, ISO 8601. */
export const instant = shaped(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
/** A date of the hotel's calendar, "YYYY-MM-DD". */
export const localDate = shaped(/^\d{4}-\d\d-\d\d$/);

export const isLocalDate = (text: string): boolean => localDate(text) !== undefined;

/** The quick ranges of days. */
export const QUICK_RANGES = ["today", "yesterday", "week"] as const;
export type QuickRange = (typeof QUICK_RANGES)[number];

export function whole(smallest = 1, largest = Number.MAX_SAFE_INTEGER): Reader<number> {
  return (raw) => {
    const value = typeof raw === "string" && raw !== "" ? Number(raw) : raw;
    return Number.isSafeInteger(value) && Number(value) >= smallest && Number(value) <= largest
      ? Number(value)
      : undefined;
  };
}

/**
 * Returns a route's `validateSearch`. It sets parameters that don't belong to the route to undefined instead of
 * omitting them, because the router merges the result into the URL's search and would keep omitted ones. We don't use a
 * schema library, because the checks of all routes are part of the first load.
 */
export function searchOf<Readers extends Record<string, Reader<unknown>>>(
  readers: Readers,
): (raw: Record<string, unknown>) => Search<Readers> {
  return (raw) => {
    const entries = Object.entries(readers).map(([name, read]) => [name, read(raw[name])] as const);
    return Object.fromEntries(entries) as Search<Readers>;
  };
}
