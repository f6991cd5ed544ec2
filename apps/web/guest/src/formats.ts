import { type HourFormat, timeTag } from "@innkey/shared/hour-format";
import { minorDigits } from "@innkey/shared/money";
import { language } from "./texts.ts";

let hourFormat: HourFormat = "language";

/** Remembers how the hotel writes times of day; a page that an earlier version kept doesn't say. */
export function rememberHourFormat(chosen: HourFormat | undefined): void {
  hourFormat = chosen ?? "language";
}

const format = (date: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(timeTag(language.tag, hourFormat), options).format(date);

/** Formats an instant in the hotel's time zone, never the phone's: "Tue 24 Nov, 12:00". */
export const formatInstant = (instant: string, timeZone: string): string =>
  format(new Date(instant), {
    ...{ weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit", timeZone },
  });

/** Formats the time of day of an instant. */
export const formatClock = (instant: string, timeZone: string): string =>
  format(new Date(instant), { hour: "numeric", minute: "2-digit", timeZone });

export const formatDay = (instant: string, timeZone: string): string =>
  format(new Date(instant), { day: "numeric", month: "short", timeZone });

/** Formats a time of day "HH:mm", which has no date and no zone. */
export const formatTime = (time: string): string =>
  format(new Date(`2000-01-01T${time}:00Z`), { hour: "numeric", minute: "2-digit", timeZone: "UTC" });

/** Formats a moment at the phone's place. */
export const formatHere = (moment: Date): string => format(moment, { dateStyle: "medium", timeStyle: "short" });

export const formatMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat(language.tag, { style: "currency", currency }).format(minor / 10 ** minorDigits(currency));
