import { LANGUAGES, type LanguageCode, languageOf } from "./languages.ts";

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
