import type { ComboboxOption } from "@/components/ui/combobox.tsx";
import { language } from "@/lib/i18n.ts";

function offsetOf(zone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat(language.tag, { timeZone: zone, timeZoneName: "shortOffset" }).formatToParts(
    now,
  );
  return parts.find((part) => part.type === "timeZoneName")?.value ?? "";
}

export const browserZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function zoneOptions(): ComboboxOption<string>[] {
  const now = new Date();
  const zones = new Set([browserZone, ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll("_", " "), detail: offsetOf(zone, now) }));
}

/** Every currency under its name in the chosen language, by that name. */
export function currencyOptions(): ComboboxOption<string>[] {
  const names = new Intl.DisplayNames(language.tag, { type: "currency" });
  return Intl.supportedValuesOf("currency")
    .map((code) => ({ value: code, label: `${names.of(code) ?? code}`, detail: code, keywords: [code] }))
    .sort((one, other) => one.label.localeCompare(other.label, language.tag));
}
