import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { baseOf, type Texts } from "./locale-files.ts";

const root = join(import.meta.dirname, "../..");
const SOURCES = ["apps/web/src", "apps/web/guest/src", "apps/server/src", "packages/shared/src"];
const NOT_PRODUCT = /\.test\.tsx?$|\.gen\.ts$|[\\/](generated|testing)[\\/]/;
/** Matches `"vacant"`, and the first part of a name like `"rooms.view"`. */
const WORD = /["'`]([A-Za-z][\w-]*)(?:\.[\w.]+)?["'`]/g;
const LITERAL = /["'`]([a-z]\w*(?:\.\w+)+)["'`]/g;
/**
 * Matches `section.${word}` and `section.${word}.part`, where the hole fills a whole part of the key or the end of one.
 */
const TEMPLATE = /`([a-z]\w*\.[\w.]*(?:\$\{[^`{}]*(?:\{[^`{}]*\}[^`{}]*)*\}[\w.]*)+)`/g;
const HOLE = /\$\{[^`{}]*(?:\{[^`{}]*\}[^`{}]*)*\}/;
/** Matches strings in places where only a key is possible. */
const USED_KEY = /\b(?:t|textOf)\(\s*"([a-z]\w*(?:\.\w+)+)"|"((?:validation|errors)\.\w+)"/g;

export interface Usage {
  /** keys that occur as literals anywhere in the sources */
  literals: ReadonlySet<string>;
  /** single quoted words, which may fill the hole of a template */
  words: ReadonlySet<string>;
  /** keys that sources build from a template */
  templates: readonly RegExp[];
  /** keys that the sources certainly use, with the file */
  used: ReadonlyMap<string, string>;
}

/** Collects how the product's sources use the texts; tests are not read. */
export function readUsage(): Usage {
  const literals = new Set<string>();
  const words = new Set<string>();
  const templates = new Map<string, RegExp>();
  const usedKeys = new Map<string, string>();
  for (const path of sourceFiles()) {
    const source = readFileSync(join(root, path), "utf8");
    for (const [, key = ""] of source.matchAll(LITERAL)) literals.add(key);
    for (const [, word = ""] of source.matchAll(WORD)) words.add(word);
    for (const [, template = ""] of source.matchAll(TEMPLATE)) templates.set(template, patternOf(template));
    for (const [, key, message] of source.matchAll(USED_KEY)) usedKeys.set(key ?? message ?? "", path);
  }
  return { literals, words, templates: [...templates.values()], used: usedKeys };
}

function sourceFiles(): string[] {
  return SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  ).filter((path) => /\.tsx?$/.test(path) && !NOT_PRODUCT.test(path));
}

/**
 * Turns a template into a pattern. One name fills a hole; in a nested section (`audit.action.${action}`) a hole may
 * span several parts, because names with dots are branches of the file.
 */
function patternOf(template: string): RegExp {
  const parts = template.split(new RegExp(HOLE, "g")).map((part) => part.replaceAll(".", "\\."));
  const deep = /^\w+\.\w+\.\$/.test(template);
  return new RegExp(`^${parts.join(deep ? "([\\w.-]+)" : "([\\w-]+)")}$`);
}

/** Returns keys that are neither literals nor produced by a template from words in the sources. */
export function unusedKeys(english: Texts, { literals, words, templates }: Usage): string[] {
  const isKnownKey = (filled: string): boolean => filled.includes(".") || words.has(filled);
  const isBuilt = (key: string): boolean =>
    templates.some((template) => template.exec(key)?.slice(1).every(isKnownKey) ?? false);
  const keys = new Set([...english.keys()].map(baseOf));
  return [...keys].filter((key) => !literals.has(key) && !isBuilt(key));
}

/** Returns keys that code uses but English doesn't have, with the file. */
export function unknownKeys(english: Texts, { used }: Usage): string[] {
  const keys = new Set([...english.keys()].map(baseOf));
  return [...used].filter(([key]) => !keys.has(key)).map(([key, path]) => `${key} (${path})`);
}
