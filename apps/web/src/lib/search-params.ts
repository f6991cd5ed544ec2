import * as z from "zod/mini";

/** A search parameter that is ignored if it is missing or invalid, so that old and mistyped URLs still open. */
const optionally = <Value>(schema: z.ZodMiniType<Value>) =>
  z.catch(z.optional(schema), undefined) as unknown as z.ZodMiniOptional<z.ZodMiniType<Value, Value>>;

export const oneOf = <const Value extends string | number>(values: readonly Value[]) => optionally(z.literal(values));

/** Text that is not a bare number. A search text typed by hand can be one: use `anyText` for that. */
export const text = (maxLength: number) => optionally(z.string().check(z.maxLength(maxLength)));

const typedText = z.union([
  z.string(),
  z.pipe(
    z.number(),
    z.transform((typed) => String(typed)),
  ),
]);

export const anyText = (maxLength: number) => optionally(z.pipe(typedText, z.string().check(z.maxLength(maxLength))));

const date = z.iso.date();

/** A date of the hotel's calendar, "YYYY-MM-DD", that exists. */
export const localDate = optionally(date);

export const isLocalDate = (text: string): boolean => date.safeParse(text).success;

/** An instant in UTC, ISO 8601. */
export const instant = optionally(z.iso.datetime());

export const QUICK_RANGES = ["today", "yesterday", "week"] as const;
export type QuickRange = (typeof QUICK_RANGES)[number];

/** Quick ranges of lists that also look ahead. */
export const DAY_RANGES = ["today", "tomorrow", "next", "yesterday", "week"] as const;
export type DayRange = (typeof DAY_RANGES)[number];

const typedNumber = z.union([z.number(), z.pipe(z.string().check(z.minLength(1)), z.transform(Number))]);

export const whole = (smallest = 1, largest = Number.MAX_SAFE_INTEGER) =>
  optionally(z.pipe(typedNumber, z.int().check(z.gte(smallest), z.lte(largest))));
