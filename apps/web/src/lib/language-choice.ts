import { LANGUAGES, type Language, languageOf } from "@innkey/shared/languages";

export const LANGUAGE_KEY = "language";

function storedCode(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

/** Returns the language that was chosen in this browser, or else the first of the browser's languages that we have. */
export function chooseLanguage(): Language {
  const stored = LANGUAGES.find((language) => language.code === storedCode());
  return stored ?? languageOf(navigator.languages.find((tag) => languageOf(tag).code !== "en" || tag.startsWith("en")));
}
