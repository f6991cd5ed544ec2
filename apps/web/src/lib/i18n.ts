import type { Language, LanguageCode } from "@innkey/shared/languages";
import type en from "../../../../locales/en.json";
import { writeStored } from "./browser/stored.ts";
import { chooseLanguage, LANGUAGE_KEY } from "./language-choice.ts";
import { once } from "./loading/runs.ts";
import { addTexts, type Branch, createTexts, type TextParams } from "./texts.ts";

type WithoutPlural<Key extends string> = Key extends `${infer Stem}_${Intl.LDMLPluralRule}` ? Stem : Key;
type KeysOf<Branch, Path extends string = ""> = {
  [Key in keyof Branch & string]: Branch[Key] extends string
    ? `${Path}${WithoutPlural<Key>}`
    : KeysOf<Branch[Key], `${Path}${Key}.`>;
}[keyof Branch & string];

/** A key of locales/en.json; any other key is a compile error. */
export type TextKey = KeysOf<typeof en>;
export type { TextParams };

type Translate = (key: TextKey, params?: TextParams) => string;

// The build splits each language into two parts (locale-parts.ts): for the first page, and the rest. A third file has both.
const firstParts = import.meta.glob<{ default: Branch }>("../../../../locales/*.json", { query: "?part=first" });
const otherParts = import.meta.glob<{ default: Branch }>("../../../../locales/*.json", { query: "?part=rest" });
const wholes = import.meta.glob<{ default: Branch }>("../../../../locales/*.json", { query: "?part=all" });

/** The language of this page until it is reloaded; choosing another language reloads it. */
export const language: Language = chooseLanguage();

export function changeLanguage(code: LanguageCode): void {
  writeStored(LANGUAGE_KEY, code);
  location.reload();
}

const texts = createTexts(language.tag);

async function add(parts: typeof firstParts): Promise<void> {
  const load = parts[`../../../../locales/${language.code}.json`];
  if (!load) throw new Error(`no texts for ${language.code}`);
  const { default: part } = await load();
  addTexts(texts, part);
}

declare global {
  /** whether the page that was opened needs all texts; the first script says so */
  var needsAllTexts: boolean | undefined;
}

const needsAll = globalThis.needsAllTexts === true;
let isLoaded = false;

/** Every language is complete (locales.test.ts), so we load only the chosen one. */
export const startTexts = once(async () => {
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.dir;
  await add(needsAll ? wholes : firstParts);
  // The remaining texts may have arrived before the first part.
  if (needsAll) isLoaded = true;
});

/** Loads the texts that only pages and dialogs behind the login show; those of the board are there from the start. */
export const appTexts = once(async () => {
  if (needsAll) return startTexts();
  await add(otherParts);
  isLoaded = true;
});

export function hasAppTexts(): boolean {
  return isLoaded;
}

/** Returns the text of a key in the chosen language, with its placeholders `{{name}}` filled. */
export const t: Translate = (key, params) => texts.t(key, { ...params });

/**
 * Returns the text of a key that is known only at run time, such as a field message or an error code; the fallback if
 * there is none.
 */
export function textOf(key: string, params: TextParams = {}, fallback: TextKey = "errors.internal"): string {
  return texts.exists(key, params) ? texts.t(key, params) : t(fallback, params);
}
