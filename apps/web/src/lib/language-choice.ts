import { LANGUAGES, type Language, languageOf } from "@innkey/shared/languages";
import { readStored } from "./browser/stored.ts";

export const LANGUAGE_KEY = "language";

/** Returns the language that was chosen in this browser, or else the first of the browser's languages that we have. */
export function chooseLanguage(): Language {
  const code = readStored(LANGUAGE_KEY);
  const stored = LANGUAGES.find((language) => language.code === code);
  return stored ?? languageOf(navigator.languages.find((tag) => languageOf(tag).code !== "en" || tag.startsWith("en")));
}
