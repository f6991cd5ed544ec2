/**
 * The languages of the console: storage code, request header (source: the product specification, section 9) and the BCP 47 tag
 * with which dates and numbers are formatted. It names the country whose usage the texts follow where the language alone
 * means another: "en" alone writes American dates.
 */
export const LANGUAGES = [
  { code: "chs", header: "zh-CN", tag: "zh-Hans-CN", dir: "ltr", nativeName: "简体中文" },
  { code: "chsTW", header: "zh-TW", tag: "zh-Hant-TW", dir: "ltr", nativeName: "繁體中文" },
  { code: "en", header: "en", tag: "en-GB", dir: "ltr", nativeName: "English" },
  { code: "Korean", header: "ko", tag: "ko", dir: "ltr", nativeName: "한국어" },
  { code: "German", header: "de", tag: "de", dir: "ltr", nativeName: "Deutsch" },
  { code: "Russian", header: "ru-RU", tag: "ru-RU", dir: "ltr", nativeName: "Русский" },
  { code: "Spanish", header: "es", tag: "es", dir: "ltr", nativeName: "Español" },
  { code: "Arabic", header: "ar", tag: "ar", dir: "rtl", nativeName: "العربية" },
  { code: "Portuguese", header: "pt", tag: "pt-BR", dir: "ltr", nativeName: "Português" },
  { code: "Japanese", header: "ja", tag: "ja", dir: "ltr", nativeName: "日本語" },
  { code: "French", header: "fr", tag: "fr", dir: "ltr", nativeName: "Français" },
  { code: "Italian", header: "it", tag: "it", dir: "ltr", nativeName: "Italiano" },
] as const;

export type Language = (typeof LANGUAGES)[number];
export type LanguageCode = Language["code"];

/** Returns the language of a header value, tag or storage code; English if none matches. */
export function languageOf(value: string | null | undefined): Language {
  const needle = (value ?? "").trim().toLowerCase();
  const exact = LANGUAGES.find((l) => [l.code, l.header, l.tag].some((name) => name.toLowerCase() === needle));
  return (
    exact ?? LANGUAGES.find((l) => needle !== "" && l.header.split("-")[0] === needle.split("-")[0]) ?? LANGUAGES[2]
  );
}

/** ISO 3166-1 alpha-2 codes, grouped by the language (of the twelve) that most guests from there read. */
const COUNTRIES: Partial<Record<LanguageCode, string>> = {
  chs: "CN SG",
  chsTW: "TW HK MO",
  en: "GB US IE AU NZ CA IN ZA NG KE GH MT JM PH",
  Korean: "KR KP",
  German: "DE AT CH LI",
  Russian: "RU BY KZ KG",
  Spanish: "ES MX AR CO PE VE CL EC GT CU BO DO HN PY SV NI CR PA UY PR GQ",
  Arabic: "SA AE EG IQ JO KW LB LY MA OM PS QA SD SY TN YE BH DZ MR",
  Portuguese: "PT BR AO MZ CV GW ST TL",
  Japanese: "JP",
  French: "FR BE LU MC SN CI ML BF NE TG BJ CM GA CG CD TD CF MG HT",
  Italian: "IT SM VA",
};

/** Returns the language in which to write to a guest: that of their country, else the hotel's. */
export function guestLanguage(nationality: string | null, hotelLanguage: string): LanguageCode {
  const language = LANGUAGES.find(({ code }) => nationality && COUNTRIES[code]?.split(" ").includes(nationality));
  return language?.code ?? languageOf(hotelLanguage).code;
}
