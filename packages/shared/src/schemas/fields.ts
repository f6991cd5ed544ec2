import { z } from "zod";
import { isTimeZone } from "../hotel-time.ts";
import { MAX_PAGE, MAX_PAGE_SIZE } from "../limits.ts";
import { isCurrency, MAX_MINOR } from "../money.ts";

/**
 * Building blocks of every input. Messages are locale keys; numbers that a message needs are part of its issue, and
 * `fieldMessages` inserts them. Lengths are limited here, where input enters.
 */
export const v = {
  required: "validation.required",
  tooLong: "validation.tooLong",
  account: "validation.account",
  email: "validation.email",
  mobile: "validation.mobile",
  phoneOrEmail: "validation.phoneOrEmail",
  password: "validation.password",
  passwordCommon: "validation.passwordCommon",
  passwordKnown: "validation.passwordKnown",
  passwordSame: "validation.passwordSame",
  oldPassword: "validation.oldPassword",
  passwordsDiffer: "validation.passwordsDiffer",
  graphicCode: "validation.graphicCode",
  smsCode: "validation.smsCode",
  recoveryCode: "validation.recoveryCode",
  integer: "validation.integer",
  choice: "validation.choice",
  instant: "validation.instant",
  date: "validation.date",
  time: "validation.time",
  timeZone: "validation.timeZone",
  currency: "validation.currency",
  currencyInUse: "validation.currencyInUse",
  latitude: "validation.latitude",
  longitude: "validation.longitude",
  price: "validation.price",
  amount: "validation.amount",
  amountTooLarge: "validation.amountTooLarge",
  amountsDiffer: "validation.amountsDiffer",
  moreThanAvailable: "validation.moreThanAvailable",
  checkOutTooEarly: "validation.checkOutTooEarly",
  stayTooLong: "validation.stayTooLong",
  endBeforeStart: "validation.endBeforeStart",
  endPast: "validation.endPast",
  pastArrival: "validation.pastArrival",
  futureArrival: "validation.futureArrival",
  departurePast: "validation.departurePast",
  renewalNotLater: "validation.renewalNotLater",
  birthDate: "validation.birthDate",
  mac: "validation.mac",
  uid: "validation.uid",
  hex: "validation.hex",
  doorCode: "validation.doorCode",
  placeInUse: "validation.placeInUse",
  sectors: "validation.sectors",
  oneRoom: "validation.oneRoom",
  macTaken: "validation.macTaken",
  noSuchRoom: "validation.noSuchRoom",
  doorHasLock: "validation.doorHasLock",
  topicTaken: "validation.topicTaken",
  ageRecipient: "validation.ageRecipient",
  rosterKeep: "validation.rosterKeep",
  nameTaken: "validation.nameTaken",
  sameRoom: "validation.sameRoom",
  moreThanOwed: "validation.moreThanOwed",
  country: "validation.country",
  duplicateDate: "validation.duplicateDate",
  pictureTooSmall: "validation.pictureTooSmall",
  noFace: "validation.noFace",
  severalFaces: "validation.severalFaces",
  retentionDays: "validation.retentionDays",
  recordMonths: "validation.recordMonths",
  webAddress: "validation.webAddress",
  webAddressPlain: "validation.webAddressPlain",
  webAddressInside: "validation.webAddressInside",
  checkFigures: "validation.checkFigures",
  keyUsed: "validation.keyUsed",
  hoursBefore: "validation.hoursBefore",
  sameTimes: "validation.sameTimes",
  hours: "validation.hours",
  tooManyHours: "validation.tooManyHours",
  unknownVariable: "validation.unknownVariable",
  bodyVariable: "validation.bodyVariable",
  unknown: "validation.unknown",
} as const;

/**
 * Control characters except tab and line ends, and halves of surrogate pairs: neither PostgreSQL nor its JSON accepts
 * them.
 */
const UNWRITABLE = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
export const text = (max: number) =>
  z
    .string({ error: v.required })
    .trim()
    .max(max, v.tooLong)
    .refine((value) => !UNWRITABLE.test(value), v.unknown);
export const requiredText = (max: number) => text(max).min(1, v.required);
export const id = z.int({ error: v.required }).positive(v.required).max(2_147_483_647, v.unknown);
export const uuid = z.uuid({ error: v.unknown });

/** Limits dates to years for which PostgreSQL, JSON and the comparison of dates as text agree. */
const inCalendar = (iso: string): boolean => iso >= "1900" && iso < "3000";
/** An instant as ISO 8601, normalised to UTC milliseconds ("…T…:….000Z") so that instants compare as text. */
export const instant = z.iso
  .datetime({ offset: true, error: (issue) => (issue.input ? v.instant : v.required) })
  .transform((value) => new Date(value).toISOString())
  .refine(inCalendar, v.instant);
export const localDateField = z.iso
  .date({ error: (issue) => (issue.input ? v.date : v.required) })
  .refine(inCalendar, v.date);
export const timeOfDay = z.string({ error: v.required }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, v.time);
export const timeZone = z.string({ error: v.required }).refine(isTimeZone, v.timeZone);
export const currency = z.string({ error: v.required }).refine(isCurrency, v.currency);

/** An amount in minor units, zero allowed. Prices have a lower bound, see `priceMinor`. */
export const amountMinor = z.int({ error: v.amount }).min(0, v.amount).max(MAX_MINOR, v.amountTooLarge);
/** A price in minor units; the service checks it against the currency's major unit (a price is at least 1). */
export const priceMinor = z.int({ error: v.price }).min(1, v.price).max(MAX_MINOR, v.price);

/**
 * Whether a text can be the number of a document: it has a letter or digit, and isn't one of our answers to somebody who
 * may not see the number.
 */
export const isDocumentNumber = (value: string): boolean => /[\p{L}\p{N}]/u.test(value) && !/[•*]/.test(value);

/** The number of a document. What can't be one, such as a dash, is taken for not given. */
export const documentNumber = text(40).overwrite((value) => (isDocumentNumber(value) ? value : ""));

/** As `documentNumber`, for a change: null leaves the stored number, and so does what can't be one; empty removes it. */
export const changedDocumentNumber = text(40)
  .nullable()
  .overwrite((value) => (value === null || value === "" || isDocumentNumber(value) ? value : null));

/** Mainland mobile (11 digits, 1, then 3–9) or an international number with +. Source: specification, section 5. */
export const MOBILE = /^(1[3-9]\d{9}|\+[1-9]\d{6,14})$/;
const EMAIL_MAX = 254;
export const isEmail = (value: string): boolean => z.email().max(EMAIL_MAX).safeParse(value).success;

const isPhoneOrEmail = (value: string): boolean => /^\+?\d{6,15}$/.test(value) || isEmail(value);

/** A phone number without spaces, dashes and brackets. */
export const normalMobile = (value: string): string => value.replace(/[\s\-().]/g, "");

export const mobile = z.string({ error: v.required }).transform(normalMobile).pipe(z.string().regex(MOBILE, v.mobile));
export const email = z
  .string({ error: v.required })
  .trim()
  .toLowerCase()
  .pipe(z.email(v.email).max(EMAIL_MAX, v.email));
/** Phone number of guests and customers: any number that can be dialled, or empty. */
export const optionalPhone = z
  .string()
  .transform(normalMobile)
  .pipe(z.string().regex(/^(\+?\d{3,15})?$/, v.mobile))
  .default("");
/** Where a message goes: a phone number that can be dialled, or a mail address. */
export const phoneOrEmail = z
  .string({ error: v.required })
  .transform((value) => (value.includes("@") ? value.trim().toLowerCase() : normalMobile(value)))
  .pipe(z.string().min(1, v.required).max(EMAIL_MAX, v.tooLong).refine(isPhoneOrEmail, v.phoneOrEmail));
export const optionalEmail = z
  .string()
  .trim()
  .toLowerCase()
  .refine((value) => value === "" || isEmail(value), v.email)
  .default("");

/** What an operator types to log in: a phone number or an e-mail address, normalised. */
export const account = z
  .string({ error: v.required })
  .trim()
  .min(1, v.required)
  .max(EMAIL_MAX, v.account)
  .transform((value) => (value.includes("@") ? value.toLowerCase() : normalMobile(value)))
  .refine((value) => (value.includes("@") ? isEmail(value) : MOBILE.test(value)), v.account);

/** More than 6 characters (source: specification, section 5). Bounded so that hashing stays cheap. */
export const newPassword = z.string({ error: v.required }).min(7, v.password).max(200, v.tooLong);
export const graphicCode = z.string({ error: v.required }).trim().length(4, v.graphicCode);
export const smsCode = z
  .string({ error: v.required })
  .trim()
  .regex(/^\d{6}$/, v.smsCode);

/**
 * Adds `permanent` to the schema of a key: a key without an end must be explicitly permanent. The end is checked before
 * the other fields.
 */
export function withExplicitEnd<S extends z.ZodType>(schema: S, needsEnd: (input: Record<string, unknown>) => boolean) {
  return z
    .looseObject({ validTo: z.string().nullish(), permanent: z.boolean().default(false) })
    .refine((input) => input.permanent || input.validTo != null || !needsEnd(input), {
      path: ["validTo"],
      error: v.required,
    })
    .transform(({ permanent, ...input }) => (permanent ? { ...input, validTo: null } : input))
    .pipe(schema as unknown as z.ZodType<z.output<S>, Record<string, unknown>>);
}

export const COUNTRY = /^[A-Z]{2}$/;
export const country = z.string().regex(COUNTRY, v.country);

export const page = {
  page: z.int().min(1).max(MAX_PAGE).default(1),
  pageSize: z.int().min(1).max(MAX_PAGE_SIZE).default(20),
};
