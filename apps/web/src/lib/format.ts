import { DAY_MS, HOUR_MS } from "@innkey/shared/durations";
import { language } from "./i18n.ts";
import { hotelDate } from "./time/hotel-clock.ts";
import { hotelTimeTag } from "./time/hour-format.ts";

type Instant = string | null | undefined;

const NO_VALUE = "–";
const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const tag = hotelTimeTag();
  const key = `${tag}|${zone}|${JSON.stringify(options)}`;
  const cached = formats.get(key) ?? new Intl.DateTimeFormat(tag, { timeZone: zone, ...options });
  formats.set(key, cached);
  return cached;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const cached = numberFormats.get(key) ?? new Intl.NumberFormat(language.tag, options);
  numberFormats.set(key, cached);
  return cached;
}

function formatInstant(instant: Instant, zone: string, options: Intl.DateTimeFormatOptions): string {
  return instant ? dateFormat(zone, options).format(new Date(instant)) : NO_VALUE;
}

/** Formats an ISO instant in the hotel's time zone, never the browser's. */
export function formatDateTime(instant: Instant, zone: string): string {
  return formatInstant(instant, zone, { dateStyle: "medium", timeStyle: "short" });
}

/** Formats an instant in full with its weekday, for decisions: "Tuesday, 24 November 2026 at 12:00". */
export function formatFullDateTime(instant: Instant, zone: string): string {
  return formatInstant(instant, zone, { dateStyle: "full", timeStyle: "short" });
}

/** Formats day, month and time without the year, for rows of the near future and past. */
export function formatShort(instant: Instant, zone: string): string {
  return formatInstant(instant, zone, { day: "numeric", month: "short", hour: hourDigits(), minute: "2-digit" });
}

/** Returns how many digits the language writes of an hour before ten: "07:40" in English, but "7:40" in Spanish. */
function hourDigits(): "2-digit" | "numeric" {
  const seven = dateFormat("UTC", { timeStyle: "short" }).formatToParts(7 * HOUR_MS);
  return seven.find(({ type }) => type === "hour")?.value.length === 2 ? "2-digit" : "numeric";
}

export function formatDate(instant: Instant, zone: string): string {
  return formatInstant(instant, zone, { dateStyle: "medium" });
}

export function formatTime(instant: Instant, zone: string): string {
  return formatInstant(instant, zone, { timeStyle: "short" });
}

/** Formats a time of day "HH:mm", which has no time zone. */
export function formatTimeOfDay(time: string): string {
  return formatInstant(`2026-01-01T${time}:00Z`, "UTC", { timeStyle: "short" });
}

export function formatWeekday(instant: Instant, zone: string): string {
  return formatInstant(instant, zone, { weekday: "short" });
}

export function formatWeekdayDate(instant: Instant, zone: string): string {
  return formatInstant(instant, zone, { weekday: "short", day: "numeric", month: "short" });
}

/** Formats a day of the next weeks in few letters: the weekday and the day, or the day and month if it is further away. */
export function formatDayBriefly(instant: Instant, zone: string, now = Date.now()): string {
  const isNear = instant ? Math.abs(Date.parse(instant) - now) < 7 * DAY_MS : false;
  return formatInstant(instant, zone, { day: "numeric", ...(isNear ? { weekday: "short" } : { month: "short" }) });
}

/** Formats a calendar date "YYYY-MM-DD", which has no time zone. */
export function formatLocalDate(
  date: string | null | undefined,
  options: Intl.DateTimeFormatOptions = { dateStyle: "medium" },
): string {
  return date ? dateFormat("UTC", options).format(new Date(`${date}T00:00:00Z`)) : NO_VALUE;
}

/** Formats the month of a calendar date "YYYY-MM-DD" without its year. Chinese spells it out unless it is short: "十一月". */
export function formatMonth(date: string): string {
  return formatLocalDate(date, { month: language.tag.startsWith("zh") ? "short" : "long" });
}

/** Returns today's date at the hotel, "YYYY-MM-DD". */
export function hotelToday(zone: string, now = new Date()): string {
  return hotelDate(now.getTime(), zone);
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Formats a time relative to now in its largest whole unit: "in 3 hours", "2 days ago". */
export function formatRelative(instant: Instant, now = Date.now()): string {
  if (!instant) return NO_VALUE;
  const seconds = (Date.parse(instant) - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(language.tag, { numeric: "auto" });
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  // Many languages have no usual words for “this minute”, but all have some for “now”.
  return relative.format(0, "second");
}

/** Languages whose narrow units are unusual in writing, such as "3d" in Japanese and "3 T" in German. */
const UNIT_DISPLAY = ["Japanese", "German", "Arabic", "Russian"].includes(language.code) ? "short" : "narrow";

/** Formats the absolute value of a duration in one whole unit: days from two days on, hours from two hours on. */
export function formatDurationShort(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  const [unit, size] = (
    length >= 2 * DAY_MS ? ["day", DAY_MS] : length >= 2 * HOUR_MS ? ["hour", HOUR_MS] : ["minute", 60_000]
  ) as ["day" | "hour" | "minute", number];
  return numberFormat({ style: "unit", unit, unitDisplay: UNIT_DISPLAY }).format(Math.floor(length / size));
}

/**
 * Formats the absolute value of a duration in its two largest units, in the language's shortest usual form: "2d 4h".
 */
export function formatDuration(milliseconds: number): string {
  let minutes = Math.floor(Math.abs(milliseconds) / 60_000);
  const parts: string[] = [];
  for (const [unit, size] of [
    ["day", 1440],
    ["hour", 60],
    ["minute", 1],
  ] as const) {
    const amount = Math.floor(minutes / size);
    minutes -= amount * size;
    if (amount > 0) parts.push(numberFormat({ style: "unit", unit, unitDisplay: UNIT_DISPLAY }).format(amount));
  }
  const zero = numberFormat({ style: "unit", unit: "minute", unitDisplay: UNIT_DISPLAY });
  return parts.slice(0, 2).join(" ") || zero.format(0);
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return numberFormat(options).format(value);
}

function minorPerMajor(currency: string): number {
  return 10 ** (numberFormat({ style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2);
}

/** Formats integer minor units: "1,200.00 €". The currency defines the number of digits (JPY 0, BHD 3). */
export function formatMoney(minor: number | null | undefined, currency: string): string {
  if (minor === null || minor === undefined) return NO_VALUE;
  return numberFormat({ style: "currency", currency }).format(minor / minorPerMajor(currency));
}

/** Formats a change of a bill: as `formatPrice`, with its sign ("+€84", "€0"). */
export function formatPriceChange(minor: number, currency: string): string {
  const format = numberFormat({
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
    signDisplay: "exceptZero",
  });
  return format.format(minor / minorPerMajor(currency));
}

/** Formats a price briefly: whole amounts have no minor digits ("€84"). */
export function formatPrice(minor: number | null | undefined, currency: string): string {
  if (minor === null || minor === undefined) return NO_VALUE;
  const format = numberFormat({ style: "currency", currency, trailingZeroDisplay: "stripIfInteger" });
  return format.format(minor / minorPerMajor(currency));
}

/** Formats a round amount for the scale of a chart: "€8K". */
export function formatMoneyBriefly(minor: number, currency: string): string {
  const format = numberFormat({
    style: "currency",
    currency,
    notation: "compact",
    trailingZeroDisplay: "stripIfInteger",
  });
  return format.format(minor / minorPerMajor(currency));
}

export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(language.tag, { type: "conjunction" }).format(items);
}

/** Between the items of a list without "and": ideographic in Chinese and Japanese, Arabic in Arabic. */
function separatorOf(tag: string): string {
  if (/^(zh|ja)\b/.test(tag)) return "、";
  return tag.startsWith("ar") ? "، " : ", ";
}

/** Joins facts or names that stand beside each other, without "and". */
export function joinItems(items: readonly string[]): string {
  return items.join(separatorOf(language.tag));
}

type WeekInfo = { firstDay: number };

/** Returns the ISO weekday with which calendars of the language begin. */
export function firstWeekday(): number {
  const locale = new Intl.Locale(language.tag) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}
