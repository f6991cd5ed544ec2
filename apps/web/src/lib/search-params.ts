/** Reads one value of a URL's search; undefined is what isn't there or isn't one. */
type Reader<Value> = (raw: unknown) => Value | undefined;

type Search<Readers> = { [Name in keyof Readers]?: Readers[Name] extends Reader<infer Value> ? Value : never };

export type SearchOf<Validate extends (raw: Record<string, unknown>) => unknown> = ReturnType<Validate>;

export function oneOf<const Value extends string | number>(values: readonly Value[]): Reader<Value> {
  return (raw) => values.find((value) => value === raw);
}

/** Not of a bare number, which a search text typed by hand can be: that is `anyText`. */
export function text(longest: number): Reader<string> {
  return (raw) => (typeof raw === "string" && raw.length <= longest ? raw : undefined);
}

export function anyText(longest: number): Reader<string> {
  const read = text(longest);
  return (raw) => read(typeof raw === "number" ? String(raw) : raw);
}

/** A text of the shape that the server takes; what else stands in the URL is left out. */
function shaped(pattern: RegExp): Reader<string> {
  return (raw) => (typeof raw === "string" && pattern.test(raw) && !Number.isNaN(Date.parse(raw)) ? raw : undefined);
}
/** An instant in UTC, ISO 8601. */
export const instant = shaped(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
/** A date of the hotel's calendar, "YYYY-MM-DD". */
export const localDate = shaped(/^\d{4}-\d\d-\d\d$/);

/** The ranges of days a desk asks for. */
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
 * A route's `validateSearch`: what the search holds, and undefined for what doesn't belong there. Said, not left out: the
 * router lays it over the bare search of the URL, and what is left out would come through. By hand, since the schemas of
 * every route are part of the first load and a schema library would be too.
 */
export function searchOf<Readers extends Record<string, Reader<unknown>>>(
  readers: Readers,
): (raw: Record<string, unknown>) => Search<Readers> {
  return (raw) => {
    const entries = Object.entries(readers).map(([name, read]) => [name, read(raw[name])] as const);
    return Object.fromEntries(entries) as Search<Readers>;
  };
}
