import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, type LanguageCode } from "../../packages/shared/src/languages.ts";

/** Texts by dotted key. */
export type Texts = Map<string, string>;
type Tree = { [name: string]: string | Tree };

const folder = join(import.meta.dirname, "../../locales");
const PLURAL = /_(zero|one|two|few|many|other)$/;

export function readTexts(code: LanguageCode): Texts {
  const path = join(folder, `${code}.json`);
  return existsSync(path) ? flattened(JSON.parse(readFileSync(path, "utf8"))) : new Map();
}

function flattened(tree: Tree, prefix = ""): Texts {
  return new Map(
    Object.entries(tree).flatMap(([name, value]) =>
      typeof value === "string" ? [[prefix + name, value] as const] : [...flattened(value, `${prefix}${name}.`)],
    ),
  );
}

/** Returns the key that code uses, without the plural category. */
export function baseOf(key: string): string {
  return key.replace(PLURAL, "");
}

export function pluralCategoryOf(key: string): string | undefined {
  return PLURAL.exec(key)?.[1];
}

/**
 * Returns the keys that a language must have, in English order, each with its English text. A plural has one form per
 * plural category of the language (CLDR via Intl.PluralRules, which i18next uses too).
 */
export function expectedTexts(english: Texts, code: LanguageCode): Texts {
  const tag = LANGUAGES.find((language) => language.code === code)?.tag;
  const order = ["zero", "one", "two", "few", "many", "other"];
  const categories = new Intl.PluralRules(tag)
    .resolvedOptions()
    .pluralCategories.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  const expected: Texts = new Map();
  for (const [key, text] of english) {
    const base = baseOf(key);
    const other = english.get(`${base}_other`);
    if (base === key || other === undefined) expected.set(key, text);
    else
      for (const category of categories)
        expected.set(`${base}_${category}`, english.get(`${base}_${category}`) ?? other);
  }
  return expected;
}

/** Writes a language's file with the expected keys only, in English order. */
export function writeTexts(code: LanguageCode, texts: Texts): void {
  const tree: Tree = {};
  for (const key of expectedTexts(readTexts("en"), code).keys()) {
    const text = texts.get(key);
    if (text !== undefined) plant(tree, key.split("."), text);
  }
  writeFileSync(join(folder, `${code}.json`), `${JSON.stringify(tree, null, 2)}\n`);
}

function plant(tree: Tree, [name = "", ...rest]: string[], text: string): void {
  if (rest.length === 0) {
    tree[name] = text;
    return;
  }
  const branch = tree[name];
  const next: Tree = typeof branch === "object" ? branch : {};
  tree[name] = next;
  plant(next, rest, text);
}
