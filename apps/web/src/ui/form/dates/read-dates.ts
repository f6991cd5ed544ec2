import { addDays, type LocalDate } from "@innkey/shared/hotel-time";
import { dayPeriodsOf, monthsOf, orderOf, relativeDaysOf, wordsBesideDates } from "./date-words.ts";
import { plainText, wordsOf } from "./plain-text.ts";

export type TimeOfDay = string;

type DateRead = {
  date: LocalDate;
  /** False for a date whose year we had to guess, because more of it may be about to be typed. */
  isComplete: boolean;
};

type DateTimeRead = DateRead & { /** null if only a date was typed */ time: TimeOfDay | null };

/** How dates are read: the tag of the language, today's date, and the last possible date if there is one. */
export type DateRules = { tag: string; today: LocalDate; max?: LocalDate | undefined };

const dateRead = (date: LocalDate | null, isComplete: boolean): DateRead | null =>
  date === null ? null : { date, isComplete };

const two = (value: number): string => String(value).padStart(2, "0");

function dateOf(year: number, month: number, day: number): LocalDate | null {
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  const exists = month >= 1 && month <= 12 && new Date(`${date}T00:00:00Z`).getUTCDate() === day;
  return exists && year >= 1 ? date : null;
}

/** Returns the date of a day and month that is closest to today. */
function nearestDate(month: number, day: number, today: LocalDate): LocalDate | null {
  const thisYear = Number(today.slice(0, 4));
  const distance = (date: LocalDate): number => Math.abs(Date.parse(date) - Date.parse(today));
  return [thisYear - 1, thisYear, thisYear + 1]
    .flatMap((year) => dateOf(year, month, day) ?? [])
    .reduce<LocalDate | null>((best, date) => (best && distance(best) <= distance(date) ? best : date), null);
}

/** Returns the year that two digits mean: of this century if that isn't twenty years ahead or after the last date. */
function fullYear(digits: string, { today, max }: DateRules): number | null {
  if (digits.length === 4) return Number(digits);
  if (digits.length !== 2) return null;
  const year = Number(digits) + 2000;
  const last = Math.min(Number(today.slice(0, 4)) + 20, Number((max ?? "9999").slice(0, 4)));
  return year > last ? year - 100 : year;
}

/** Returns the date of three numbers; day and month may be exchanged if only that makes a date. */
function dateOfNumbers(numbers: string[], rules: DateRules): DateRead | null {
  const order = orderOf(rules.tag);
  const [first = "", second = "", third = ""] = numbers;
  const yearFirst = first.length === 4 || (order[0] === "year" && third.length !== 4);
  const monthFirst = yearFirst || order.indexOf("month") < order.indexOf("day");
  const year = fullYear(yearFirst ? first : third, rules);
  if (year === null) return null;
  const [one, other] = (yearFirst ? [second, third] : [first, second]).map(Number) as [number, number];
  const date = monthFirst
    ? (dateOf(year, one, other) ?? (first.length === 4 ? null : dateOf(year, other, one)))
    : (dateOf(year, other, one) ?? dateOf(year, one, other));
  return dateRead(date, (yearFirst ? first : third).length === 4);
}

function dateOfDayAndMonth(numbers: string[], rules: DateRules): DateRead | null {
  const [one, other] = numbers.map(Number) as [number, number];
  if (numbers.some((digits) => digits.length > 2)) return null;
  const order = orderOf(rules.tag);
  const [month, day] = order.indexOf("month") < order.indexOf("day") ? [one, other] : [other, one];
  const date = nearestDate(month, day, rules.today) ?? nearestDate(day, month, rules.today);
  return dateRead(date, false);
}

function dateWithMonth(month: number, numbers: string[], rules: DateRules): DateRead | null {
  const yearAt = numbers.findIndex((digits) => digits.length === 4);
  if (numbers.length === 1 && yearAt < 0) {
    const date = nearestDate(month, Number(numbers[0]), rules.today);
    return dateRead(date, false);
  }
  if (numbers.length !== 2) return null;
  const [year = "", day] = yearAt === 0 ? numbers : numbers.toReversed();
  const inFull = fullYear(year, rules);
  const date = inFull === null ? null : dateOf(inFull, month, Number(day));
  return dateRead(date, yearAt >= 0);
}

/** Returns the words that can only be a month. In some languages a weekday and a month have the same short name. */
function monthWords(text: string, tag: string): string[] {
  const isBeside = wordsBesideDates(tag);
  const words = wordsOf(text).filter((word) => !isBeside(word) || monthsOf(tag).named(word) !== undefined);
  return words.length > 1 && isBeside(words[0] ?? "") ? words.slice(1) : words;
}

/** Reads a date without a time from text that is already plain. */
function readPlainDate(text: string, rules: DateRules): DateRead | null {
  const relative = relativeDaysOf(rules.tag).get(text);
  if (relative !== undefined) return { date: addDays(rules.today, relative), isComplete: true };
  const numbers = text.match(/\d+/g) ?? [];
  const [month, ...more] = monthWords(text, rules.tag).map(monthsOf(rules.tag).meant);
  if (more.length > 0 || month === null) return null;
  if (month !== undefined) return dateWithMonth(month, numbers, rules);
  const [whole = ""] = numbers;
  if (numbers.length === 1 && whole.length === 8)
    return dateOfNumbers([whole.slice(0, 4), whole.slice(4, 6), whole.slice(6)], rules);
  if (numbers.length === 2) return dateOfDayAndMonth(numbers, rules);
  return numbers.length === 3 ? dateOfNumbers(numbers, rules) : null;
}

/** Returns an hour of 0 to 23; the word for the part of the day says which of two hours is meant. */
function hourOf(hour: number, period: string | undefined, tag: string): number | null {
  if (period === undefined) return hour <= 23 ? hour : null;
  const hours = dayPeriodsOf(tag).get(period);
  const candidates = hour >= 1 && hour <= 12 ? [hour % 12, (hour % 12) + 12] : [hour];
  return candidates.find((candidate) => hours?.has(candidate)) ?? null;
}

/** Takes the time of day out of a text. */
function takeTime(text: string, tag: string): { time: TimeOfDay | null; rest: string } | null {
  const periods = [...dayPeriodsOf(tag).keys()].toSorted((one, other) => other.length - one.length).join("|");
  const before = `(?:(?<before>${periods})\\s*)?`;
  const after = `(?:\\s*(?<after>${periods})(?!\\p{L}|\\s*\\d))?`;
  const pattern = new RegExp(
    `${before}(?<![\\d:])(?<hour>\\d{1,2})(?::(?<minute>\\d{2})(?::\\d{2})?)?(?![\\d:])${after}`,
    "gu",
  );
  for (const match of text.matchAll(pattern)) {
    const { hour, minute, before: early, after: late } = match.groups ?? {};
    const period = late ?? early;
    if (minute === undefined && period === undefined) continue;
    const fullHour = hourOf(Number(hour), period, tag);
    if (fullHour === null || Number(minute ?? 0) > 59) return null;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    return { time: `${two(fullHour)}:${minute ?? "00"}`, rest: rest.trim() };
  }
  return { time: null, rest: text };
}

/** Reads a date in the order of the language, with or without names of months, or as ISO 8601 ("2026-11-25"). */
export const readDate = (text: string, rules: DateRules): DateRead | null => readPlainDate(plainText(text), rules);

/** Reads a date with a time of day of 12 or 24 hours. */
export function readDateTime(text: string, rules: DateRules): DateTimeRead | null {
  const taken = takeTime(plainText(text), rules.tag);
  const read = taken && readPlainDate(taken.rest, rules);
  return read && { date: read.date, time: taken.time, isComplete: read.isComplete && taken.time !== null };
}

/** Reads a time of day: "14:30", "2:30 pm", "1430", "14". */
export function readTime(text: string, tag: string): { time: TimeOfDay; isComplete: boolean } | null {
  const plain = plainText(text);
  const digits = /^(\d{1,2})(?:[.h]?(\d{2}))?$/.exec(plain);
  if (digits) {
    const [hour, minute] = [Number(digits[1]), Number(digits[2] ?? 0)];
    return hour <= 23 && minute <= 59 ? { time: `${two(hour)}:${two(minute)}`, isComplete: false } : null;
  }
  const taken = takeTime(plain, tag);
  return taken && taken.time !== null && taken.rest === "" ? { time: taken.time, isComplete: true } : null;
}
