import { DomainError } from "@innkey/shared/errors";
import { MAX_PAGE, MAX_PAGE_SIZE, MAX_ROOMS_PER_CALL } from "@innkey/shared/limits";
import { fromDecimal, toDecimal } from "@innkey/shared/money";
import { v } from "@innkey/shared/schemas/fields";
import { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";

/**
 * Schemas for the formats of old clients: ids and numbers also as numeric strings, flags as 0/1 or true/false, times
 * as Unix seconds, money as a decimal string in major units (source: the compatibility layer's contract). They return
 * what services take: ISO instants and booleans. Money stays text until the hotel's currency is known (`minorOf`).
 */
export interface FieldNotes {
  /** Name of the type in the documentation */
  type: string;
  example: unknown;
  /** Whether an empty string is a value; for all other fields it counts as absent */
  emptyCounts?: boolean;
}

export const fieldNotes = z.registry<FieldNotes>();

/** Returns the notes of a field; also looks inside optional fields and fields with a default. */
export function notesOf(schema: z.core.$ZodType | undefined): FieldNotes | undefined {
  let inner = schema;
  while (inner) {
    const notes = fieldNotes.get(inner);
    if (notes) return notes;
    inner = (inner as { _zod: { def: { innerType?: z.core.$ZodType } } })._zod.def.innerType;
  }
  return undefined;
}

const NUMERIC = /^-?\d{1,15}$/;
const number = (value: unknown): unknown =>
  typeof value === "string" && NUMERIC.test(value.trim()) ? Number(value) : value;
const flagValue = (value: unknown): unknown => {
  const plain = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (plain === 1 || plain === "1" || plain === "true") return true;
  if (plain === 0 || plain === "0" || plain === "false") return false;
  return value;
};
const LAST_SECOND = 32_503_679_999; // 2999-12-31T23:59:59Z
const DECIMAL = /^\d{1,12}(\.\d{1,3})?$/;
const listValue = (value: unknown): unknown => {
  if (typeof value === "string") return value.split(",").filter((part) => part.trim() !== "");
  return Array.isArray(value) || value === undefined ? value : [value];
};

export const int = (low: number, high: number, example: number) =>
  z
    .preprocess(number, z.int({ error: v.integer }).min(low, v.integer).max(high, v.integer))
    .register(fieldNotes, { type: `integer ${low}–${high}`, example });

export const id = (example = 17) =>
  z
    .preprocess(number, z.int({ error: v.required }).positive(v.required).max(2_147_483_647, v.unknown))
    .register(fieldNotes, { type: "integer", example });

/** A list of ids: an array, a single number, or numbers separated by commas. */
export const ids = (max = MAX_ROOMS_PER_CALL) =>
  z
    .preprocess(
      listValue,
      z
        .array(z.preprocess(number, z.int(v.required).positive(v.required).max(2_147_483_647, v.unknown)), v.required)
        .min(1, v.required)
        .max(max, v.tooLong),
    )
    .register(fieldNotes, { type: "array of integers", example: [17, 18] });

/**
 * Text, untrimmed and possibly empty. Numbers are accepted, because some clients send a phone number or a name of
 * digits as a number.
 */
export const text = (max: number, example: string) =>
  z
    .preprocess(
      (value) => (typeof value === "number" ? String(value) : value),
      z.string(v.required).max(max, v.tooLong),
    )
    .register(fieldNotes, { type: "text", example, emptyCounts: true });

/** Trimmed text that is not empty. */
export const name = (max: number, example: string) =>
  z
    .preprocess(
      (value) => (typeof value === "number" ? String(value) : value),
      z.string(v.required).trim().min(1, v.required).max(max, v.tooLong),
    )
    .register(fieldNotes, { type: "text", example });

/** 0 or 1 on the wire, parsed to a boolean. */
export const flag = (example: 0 | 1 = 1) =>
  z.preprocess(flagValue, z.boolean({ error: v.choice })).register(fieldNotes, { type: "0 or 1", example });

/** Unix seconds on the wire, parsed to an ISO instant. */
export const time = (example = 1_772_445_600) =>
  z
    .preprocess(number, z.int({ error: v.instant }).min(0, v.instant).max(LAST_SECOND, v.instant))
    .transform((seconds) => new Date(seconds * 1000).toISOString())
    .register(fieldNotes, { type: "Unix seconds", example });

export const date = (example = "2026-03-02") =>
  z.iso.date({ error: v.date }).register(fieldNotes, { type: "YYYY-MM-DD", example });

/** Money as decimal text such as "128.00"; see `minorOf`. Numbers are accepted too. */
export const money = (example = "128.00") =>
  z
    .preprocess(
      (value) => (typeof value === "number" ? String(value) : value),
      z.string(v.amount).trim().regex(DECIMAL, v.amount),
    )
    .register(fieldNotes, { type: "money", example });

export const choice = <const T extends readonly [string, ...string[]]>(values: T, example: T[number] = values[0]) =>
  z.enum(values, { error: v.choice }).register(fieldNotes, { type: values.join(" | "), example });

/** A decimal number, for coordinates in degrees. */
export const decimal = (example: number) =>
  z
    .preprocess(
      (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
      z.number({ error: v.unknown }),
    )
    .register(fieldNotes, { type: "number", example });

/** Input fields of every paged list. */
export const paging = {
  page: int(1, MAX_PAGE, 1).default(1),
  page_size: int(1, MAX_PAGE_SIZE, 20).default(20),
};

/** Converts the paging fields to the input of services. */
export const pageOf = ({ page, page_size }: { page: number; page_size: number }) => ({ page, pageSize: page_size });

/** Converts an amount to the hotel's minor units. @throws invalid_input if it has more decimals than the currency */
export function minorOf(scope: Scope, amount: string, field: string): number {
  const minor = fromDecimal(amount, scope.hotel.currency);
  if (minor === null) throw new DomainError("invalid_input", {}, { [field]: { key: v.amount } });
  return minor;
}

/** As `minorOf`; returns null if there is no amount. */
export function optionalMinor(scope: Scope, amount: string | undefined, field: string): number | null {
  return amount === undefined ? null : minorOf(scope, amount, field);
}

export const moneyOf = (scope: Scope, minor: number): string => toDecimal(minor, scope.hotel.currency);
export const optionalMoney = (scope: Scope, minor: number | null): string | null =>
  minor === null ? null : moneyOf(scope, minor);

export const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
export const optionalSeconds = (iso: string | null): number | null => (iso === null ? null : seconds(iso));
export const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** Fields of answers, for the documentation and the contract tests. */
export const out = {
  id: (example = 17) => z.int().register(fieldNotes, { type: "integer", example }),
  int: (example = 1) => z.int().register(fieldNotes, { type: "integer", example }),
  text: (example = "") => z.string().register(fieldNotes, { type: "text", example }),
  flag: (example: 0 | 1 = 1) => z.union([z.literal(0), z.literal(1)]).register(fieldNotes, { type: "0 or 1", example }),
  time: (example = 1_772_445_600) => z.int().register(fieldNotes, { type: "Unix seconds", example }),
  date: (example = "2026-03-02") => z.iso.date().register(fieldNotes, { type: "YYYY-MM-DD", example }),
  money: (example = "128.00") =>
    z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .register(fieldNotes, { type: "money", example }),
  number: (example = 52.52) => z.number().register(fieldNotes, { type: "number", example }),
  choice: <const T extends readonly [string, ...string[]]>(values: T, example: T[number] = values[0]) =>
    z.enum(values).register(fieldNotes, { type: values.join(" | "), example }),
  hex: (bytes: number, example: string) =>
    z
      .string()
      .regex(new RegExp(`^[0-9A-F]{${bytes * 2}}$`))
      .register(fieldNotes, { type: `hex, ${bytes * 2} digits`, example }),
};

/** Empty answer: only its errno counts. */
export const nothing = z.strictObject({});

/** Answer of a paged list: `{list, total, page, page_size}` and further fields of the call. */
export const listOf = <T extends z.ZodRawShape, R extends z.ZodRawShape>(row: T, rest: R = {} as R) =>
  z.strictObject({
    list: z.array(z.strictObject(row)),
    total: z.int().register(fieldNotes, { type: "integer", example: 1 }),
    page: z.int().register(fieldNotes, { type: "integer", example: 1 }),
    page_size: z.int().register(fieldNotes, { type: "integer", example: 20 }),
    ...rest,
  });

export function pageAnswer<T>(list: T[], total: number, input: { page: number; page_size: number }) {
  return { list, total, page: input.page, page_size: input.page_size };
}

/** Returns the requested page of a complete list. */
export function pageOfAll<T>(all: readonly T[], input: { page: number; page_size: number }) {
  const { page, page_size: size } = input;
  return pageAnswer(all.slice((page - 1) * size, page * size), all.length, input);
}
