import { minorDigits } from "@innkey/shared/money";
import { language } from "./texts.ts";

/** Formats an instant in the hotel's time zone, never the phone's: "Tue, 24 November, 12:00". */
export const formatInstant = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language.tag, {
    ...{ weekday: "short", day: "numeric", month: "long", hour: "numeric", minute: "2-digit", timeZone },
  }).format(new Date(instant));

/** Formats the time of day of an instant. */
export const formatClock = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language.tag, { hour: "numeric", minute: "2-digit", timeZone }).format(new Date(instant));

export const formatDay = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language.tag, { day: "numeric", month: "short", timeZone }).format(new Date(instant));

/** Formats a time of day "HH:mm", which has no date and no zone. */
export const formatTime = (time: string): string =>
  new Intl.DateTimeFormat(language.tag, { hour: "numeric", minute: "2-digit", timeZone: "UTC" }).format(
    new Date(`2000-01-01T${time}:00Z`),
  );

export const formatMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat(language.tag, { style: "currency", currency }).format(minor / 10 ** minorDigits(currency));
