import { z } from "zod";

/** A search parameter that is ignored if it is missing or invalid, so that an old or mistyped address still opens. */
const optionally = <Value>(schema: z.ZodType<Value>) =>
  schema.optional().catch(undefined) as unknown as z.ZodOptional<z.ZodType<Value, Value>>;

export const oneOf = <const Value extends string | number>(values: readonly Value[]) => optionally(z.literal(values));

/** Text that is not a bare number. A search text typed by hand can be one: use `anyText` for that. */
export const text = (longest: number) => optionally(z.string().max(longest));

export const anyText = (longest: number) =>
  optionally(z.union([z.string(), z.number().transform(String)]).pipe(z.string().max(longest)));

const date = z.iso.date();

/** A date of the hotel's calendar, "YYYY-MM-DD", that exists. */
export const localDate = optionally(date);

export const isLocalDate = (text: string): boolean => date.safeParse(text).success;

/** An instant in UTC, ISO 8601. */
export const instant = optionally(z.iso.datetime());

/** The quick ranges of days. */
export const QUICK_RANGES = ["today", "yesterday", "week"] as const;
export type QuickRange = (typeof QUICK_RANGES)[number];

export const whole = (smallest = 1, largest = Number.MAX_SAFE_INTEGER) =>
  optionally(z.union([z.number(), z.string().min(1).transform(Number)]).pipe(z.int().min(smallest).max(largest)));
