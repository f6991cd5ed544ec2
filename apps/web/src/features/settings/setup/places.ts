import { language } from "@/lib/i18n.ts";
import type { ComboboxOption } from "@/ui/form/combobox.tsx";

function offsetOf(zone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat(language.tag, { timeZone: zone, timeZoneName: "shortOffset" }).formatToParts(
    now,
  );
  return parts.find((part) => part.type === "timeZoneName")?.value ?? "";
}

export const browserZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Outdated zone names that browsers still list, with their current names in the tz database. */
const RENAMED: Record<string, string> = {
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Godthab": "America/Nuuk",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
};

function zoneLabel(zone: string, now: Date): string {
  const format = new Intl.DateTimeFormat(language.tag, { timeZone: zone, timeZoneName: "longGeneric" });
  return format.formatToParts(now).find((part) => part.type === "timeZoneName")?.value ?? "";
}

/**
 * Returns all time zones as options, including `currentZone` even if this browser doesn't list it. They can be found by
 * place and by the name of their time.
 */
export function zoneOptions(currentZone: string = browserZone): ComboboxOption<string>[] {
  const now = new Date();
  const zones = new Set([currentZone, ...Intl.supportedValuesOf("timeZone").map((zone) => RENAMED[zone] ?? zone)]);
  return [...zones].sort().map((zone) => ({
    value: zone,
    label: zone.replaceAll("_", " "),
    detail: offsetOf(zone, now),
    keywords: [zoneLabel(zone, now)],
  }));
}

/** Returns all currencies as options, sorted by their names in the user's language. */
export function currencyOptions(): ComboboxOption<string>[] {
  const names = new Intl.DisplayNames(language.tag, { type: "currency" });
  return Intl.supportedValuesOf("currency")
    .map((code) => ({ value: code, label: `${names.of(code) ?? code}`, detail: code, keywords: [code] }))
    .sort((a, b) => a.label.localeCompare(b.label, language.tag));
}
