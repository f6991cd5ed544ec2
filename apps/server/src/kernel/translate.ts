import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LANGUAGES, type LanguageCode } from "@innkey/shared/languages";
import i18next, { type i18n } from "i18next";

export type TextParams = Record<string, string | number>;
export type Translate = (key: string, params?: TextParams) => string;

/** Returns the workspace's `locales/` folder, both from sources and from the built file. */
function localesFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, "locales");
    if (existsSync(join(candidate, "en.json"))) return candidate;
    if (folder === dirname(folder)) throw new Error("locales/en.json not found");
  }
}

function loadTexts(): i18n {
  const folder = localesFolder();
  const instance = i18next.createInstance();
  instance.init({
    fallbackLng: "en",
    interpolation: { escapeValue: false },
    initAsync: false,
    showSupportNotice: false,
    resources: Object.fromEntries(
      LANGUAGES.map(({ code, tag }) => [
        tag,
        { translation: JSON.parse(readFileSync(join(folder, `${code}.json`), "utf8")) },
      ]),
    ),
  });
  return instance;
}

let texts: i18n | undefined;

/**
 * Returns the translator for texts that the server sends itself, such as mail and SMS. The files are read on first
 * use.
 */
export function translator(language: LanguageCode): Translate {
  texts ??= loadTexts();
  const { tag } = LANGUAGES.find(({ code }) => code === language) ?? LANGUAGES[2];
  const translate = texts.getFixedT(tag) as (key: string, params: object) => string;
  return (key, params) => translate(key, params ?? {});
}
