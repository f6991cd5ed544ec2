import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addTexts, type Branch, createTexts } from "../../apps/web/src/lib/texts.ts";
import { LANGUAGES } from "../../packages/shared/src/languages.ts";

export type Translate = (key: string, values?: Record<string, string | number>) => string;

/** Returns the console's texts in a language, by its stored code, including plural forms. */
export function textsIn(language: string): Translate {
  const tag = LANGUAGES.find(({ code }) => code === language)?.tag;
  if (!tag) throw new Error(`no language ${language}`);
  const path = fileURLToPath(new URL(`../../locales/${language}.json`, import.meta.url));
  const texts = createTexts(tag);
  addTexts(texts, JSON.parse(readFileSync(path, "utf8")) as Branch);
  return (key, values) => {
    if (!texts.exists(key, values)) throw new Error(`no text ${key} in ${language}`);
    return texts.t(key, { ...values });
  };
}
