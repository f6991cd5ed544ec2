import { localDate } from "@innkey/shared/hotel-time";
import { language } from "./i18n.ts";

type Instant = string | null | undefined;

const NOTHING = "–";
const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone}|${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language.tag, { timeZone: zone, ...options });
  formats.set(key, known);
  return known;
}

function show(instant: Instant, zone: string, options: Intl.DateTimeFormatOptions): string {
  return instant ? dateFormat(zone, options).format(new Date(instant)) : NOTHING;
}

/** Instants are ISO strings; they are shown in the hotel's zone, never the browser's. */
export function formatDateTime(instant: Instant, zone: string): string {
  return show(instant, zone, { dateStyle: "medium", timeStyle: "short" });
}

/** Day, month and time without the year, for rows of the near future and past. */
export function formatShort(instant: Instant, zone: string): string {
  return show(instant, zone, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

export function formatDate(instant: Instant, zone: string): string {
  return show(instant, zone, { dateStyle: "medium" });
}

export function formatTime(instant: Instant, zone: string): string {
  return show(instant, zone, { timeStyle: "short" });
}

export function formatWeekdayDate(instant: Instant, zone: string): string {
  return show(instant, zone, { weekday: "short", day: "numeric", month: "short" });
}

/** A calendar date "YYYY-MM-DD", which has no zone. */
export function formatLocalDate(
  date: string | null | undefined,
  options: Intl.DateTimeFormatOptions = { dateStyle: "medium" },
): string {
  return date ? dateFormat("UTC", options).format(new Date(`${date}T00:00:00Z`)) : NOTHING;
}

/** Today, hotel-local, as "YYYY-MM-DD". */
export function hotelToday(zone: string, now = new Date()): string {
  return localDate(now.toISOString(), zone);
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "in 3 hours", "2 days ago": the largest whole unit. */
export function formatRelative(instant: Instant, now = Date.now()): string {
  if (!instant) return NOTHING;
  const seconds = (Date.parse(instant) - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(language.tag, { numeric: "auto" });
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return relative.format(0, "minute");
}

/** A length of time as its two largest units, "2d 4h" in the language's narrow form; negative lengths lose their sign. */
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
    if (amount > 0)
      parts.push(new Intl.NumberFormat(language.tag, { style: "unit", unit, unitDisplay: "narrow" }).format(amount));
  }
  const zero = new Intl.NumberFormat(language.tag, { style: "unit", unit: "minute", unitDisplay: "narrow" });
  return parts.slice(0, 2).join(" ") || zero.format(0);
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(language.tag, options).format(value);
}

/** "1,200.00 €" from integer minor units; the number of digits is the currency's (JPY 0, BHD 3). */
export function formatMoney(minor: number | null | undefined, currency: string): string {
  if (minor === null || minor === undefined) return NOTHING;
  const format = new Intl.NumberFormat(language.tag, { style: "currency", currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** A price where room is scarce: whole amounts without their minor digits ("€84"). */
export function formatPrice(minor: number | null | undefined, currency: string): string {
  if (minor === null || minor === undefined) return NOTHING;
  const options = { style: "currency", currency, trailingZeroDisplay: "stripIfInteger" } as const;
  const format = new Intl.NumberFormat(language.tag, options);
  const digits = new Intl.NumberFormat(language.tag, { style: "currency", currency }).resolvedOptions();
  return format.format(minor / 10 ** (digits.maximumFractionDigits ?? 2));
}

export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(language.tag, { type: "conjunction" }).format(items);
}
