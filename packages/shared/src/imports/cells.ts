import { minorDigits } from "../money.ts";

/** Reads cells in the notations of different countries' spreadsheets. */
export const DATE_ORDERS = ["auto", "dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export interface CellDate {
  /** YYYY-MM-DD */
  date: string;
  /** HH:mm; null if the cell has only a date */
  time: string | null;
}

/** Returns the text with digits of all scripts and full-width signs replaced by ASCII. */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .trim();
}

const YEAR_FIRST = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})[日.]?$/;
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;
const TIME = /^(.*?\d.?)[T ]+(\d{1,2}):(\d{2})(?::\d{2})?$/;

/**
 * Reads a date: 2026-03-02, 2026/3/2, 2026年3月2日, 2.3.2026, 2/3/2026, each optionally followed by a time. "2/3/2026" is
 * "ambiguous" until the order is chosen, unless only one order gives a valid date; dots always mean day first. Returns
 * null if the cell is not a date.
 */
export function readDate(cell: string, order: DateOrder): CellDate | "ambiguous" | null {
  const text = plain(cell).replace(/\s*([.年月日])\s*/g, "$1");
  const timed = TIME.exec(text) ?? /^(.*[.日])(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(text);
  const time = timed ? `${timed[2]?.padStart(2, "0")}:${timed[3]}` : null;
  if (time !== null && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return null;
  const day = timed?.[1] ?? text;
  const first = YEAR_FIRST.exec(day);
  if (first) return withTime(dateOf(first[1], first[2], first[3]), time);
  const last = YEAR_LAST.exec(day);
  if (!last) return null;
  const [, one, sign, two, year] = last;
  const dayFirst = dateOf(year, two, one);
  const monthFirst = sign === "." ? null : dateOf(year, one, two);
  if (order === "dmy" || sign === ".") return withTime(dayFirst, time);
  if (order === "mdy") return withTime(monthFirst, time);
  if (dayFirst && monthFirst && dayFirst !== monthFirst) return "ambiguous";
  return withTime(dayFirst ?? monthFirst, time);
}

function withTime(date: string | null, time: string | null): CellDate | null {
  return date === null ? null : { date, time };
}

function dateOf(year = "", month = "", day = ""): string | null {
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const instant = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date) ? date : null;
}

/**
 * Reads an amount in minor units: "1234.5", "1.234,50", "1 234,50 €", "¥1,200". A single sign followed by three digits
 * separates thousands, unless the currency has three minor digits. Returns null if the cell is not an amount of this
 * currency.
 */
export function readAmount(cell: string, currency: string): number | null {
  const text = plain(cell)
    .replace(/^[\p{Sc}\p{L}.]*[\p{Sc}\p{L}]\s*/u, "")
    .replace(/\s*\p{L}*\p{Sc}*\p{L}*$/u, "")
    .replace(/[\s'’]/g, "");
  if (!/^\d[\d.,]*$/.test(text)) return null;
  const digits = minorDigits(currency);
  const signs = text.match(/[.,]/g) ?? [];
  const decimal = decimalSign(text, signs, digits);
  const [whole = "", fraction = "", ...rest] = decimal ? text.split(decimal) : [text];
  const thousands = decimal === "." ? "," : decimal === "," ? "." : (signs[0] ?? ",");
  if (rest.length > 0 || !/^\d*$/.test(fraction)) return null;
  const groups = whole.split(thousands);
  if (groups.length > 1 && !groups.every((group, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group))) return null;
  const significantDigits = fraction.replace(/0+$/, "");
  if (significantDigits.length > digits) return null;
  const major = groups.join("");
  if (!/^\d{1,12}$/.test(major)) return null;
  const minor = Number(major) * 10 ** digits + Number(significantDigits.padEnd(digits, "0") || 0);
  return Number.isSafeInteger(minor) ? minor : null;
}

function decimalSign(text: string, signs: readonly string[], digits: number): string | null {
  const last = signs.at(-1);
  if (last === undefined) return null;
  if (new Set(signs).size > 1) return last;
  if (signs.length > 1) return null;
  const behind = text.length - text.indexOf(last) - 1;
  return behind === 3 && digits !== 3 ? null : last;
}

/** Returns a whole number; null for anything else. */
export function readInteger(cell: string): number | null {
  const text = plain(cell).replace("−", "-");
  return /^-?\d{1,9}(\.0+)?$/.test(text) ? Number(text) : null;
}
