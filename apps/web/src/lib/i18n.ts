import { LANGUAGES, type Language, type LanguageCode, languageOf } from "@innkey/shared/languages";
import i18next, { type ParseKeys } from "i18next";
import { initReactI18next } from "react-i18next";
import type en from "../../../../locales/en.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
  }
}

/** A key of locales/en.json; anything else doesn't compile. */
export type TextKey = ParseKeys;
export type TextParams = Record<string, string | number>;

const LANGUAGE_KEY = "language";
const files = import.meta.glob<{ default: typeof en }>("../../../../locales/*.json");

function storedCode(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

function choose(): Language {
  const stored = LANGUAGES.find((language) => language.code === storedCode());
  return stored ?? languageOf(navigator.languages.find((tag) => languageOf(tag).code !== "en" || tag.startsWith("en")));
}

/** The language of this page's life; changing it reloads the page. */
export const language: Language = choose();

export function changeLanguage(code: LanguageCode): void {
  localStorage.setItem(LANGUAGE_KEY, code);
  location.reload();
}

async function texts(code: LanguageCode): Promise<typeof en | undefined> {
  return (await files[`../../../../locales/${code}.json`]?.())?.default;
}

export async function startTexts(): Promise<void> {
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.dir;
  const [chosen, english] = await Promise.all([texts(language.code), texts("en")]);
  await i18next.use(initReactI18next).init({
    lng: language.tag,
    fallbackLng: "en",
    showSupportNotice: false,
    interpolation: { escapeValue: false },
    resources: { en: { translation: english ?? {} }, ...(chosen && { [language.tag]: { translation: chosen } }) },
  });
}

/** A text whose key is only known at run time: a server's field message or an error code. Unknown keys give the fallback. */
export function textOf(key: string, params?: TextParams, fallback: TextKey = "errors.internal"): string {
  return i18next.exists(key, params) ? i18next.t(key as "errors.internal", params) : i18next.t(fallback);
}
