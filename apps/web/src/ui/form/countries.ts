import { COUNTRY_CODES } from "@innkey/shared/countries";
import { language } from "@/lib/i18n.ts";
import type { ComboboxOption } from "./combobox.tsx";

const names = new Intl.DisplayNames(language.tag, { type: "region" });

export function countryName(code: string | null): string {
  return code ? (names.of(code) ?? code) : "–";
}

let options: ComboboxOption<string>[] | undefined;

/** Returns countries by name in the chosen language. They can be found by their code too. */
export function countryOptions(): ComboboxOption<string>[] {
  options ??= COUNTRY_CODES.map((code) => ({ value: code, label: countryName(code), keywords: [code] })).sort((a, b) =>
    a.label.localeCompare(b.label, language.tag),
  );
  return options;
}
