import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { baseOf, type Texts } from "./locale-files.ts";

const root = join(import.meta.dirname, "../..");
const SOURCES = ["apps/web/src", "apps/server/src", "packages/shared/src"];
const NOT_PRODUCT = /\.test\.tsx?$|\.gen\.ts$|[\\/](generated|testing)[\\/]/;
/** `"vacant"`, and of a name like `"rooms.view"` the first part. */
const WORD = /["'`]([A-Za-z][\w-]*)(?:\.[\w.]+)?["'`]/g;
const LITERAL = /["'`]([a-z]\w*(?:\.\w+)+)["'`]/g;
/** `section.${word}` and `section.${word}.part`: a whole word of the key is filled in, or the end of one. */
const TEMPLATE = /`([a-z]\w*\.[\w.]*(?:\$\{[^`{}]*(?:\{[^`{}]*\}[^`{}]*)*\}[\w.]*)+)`/g;
const HOLE = /\$\{[^`{}]*(?:\{[^`{}]*\}[^`{}]*)*\}/;
/** Where only a key can stand. */
const ASKED = /\b(?:t|textOf)\(\s*"([a-z]\w*(?:\.\w+)+)"|"((?:validation|errors)\.\w+)"/g;

export interface Usage {
  /** keys written out anywhere in the sources */
  literals: ReadonlySet<string>;
  /** single words in quotes: what can stand in a template's hole */
  words: ReadonlySet<string>;
  /** keys that sources build from a template */
  templates: readonly RegExp[];
  /** keys that sources certainly ask for, with the file that does */
  asked: ReadonlyMap<string, string>;
}

/** How the product's sources use the texts; tests don't count. */
export function readUsage(): Usage {
  const literals = new Set<string>();
  const words = new Set<string>();
  const templates = new Map<string, RegExp>();
  const asked = new Map<string, string>();
  for (const path of sourceFiles()) {
    const source = readFileSync(join(root, path), "utf8");
    for (const [, key = ""] of source.matchAll(LITERAL)) literals.add(key);
    for (const [, word = ""] of source.matchAll(WORD)) words.add(word);
    for (const [, template = ""] of source.matchAll(TEMPLATE)) templates.set(template, patternOf(template));
    for (const [, key, message] of source.matchAll(ASKED)) asked.set(key ?? message ?? "", path);
  }
  return { literals, words, templates: [...templates.values()], asked };
}

function sourceFiles(): string[] {
  return SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  ).filter((path) => /\.tsx?$/.test(path) && !NOT_PRODUCT.test(path));
}

/**
 * One name fills a hole; below a section's own section (`audit.action.${action}`) it may be several, as names with dots are
 * branches of the file.
 */
function patternOf(template: string): RegExp {
  const parts = template.split(new RegExp(HOLE, "g")).map((part) => part.replaceAll(".", "\\."));
  const deep = /^\w+\.\w+\.\$/.test(template);
  return new RegExp(`^${parts.join(deep ? "([\\w.-]+)" : "([\\w-]+)")}$`);
}

/** Keys that are neither written out nor made by a template from words that the sources know. */
export function unusedKeys(english: Texts, { literals, words, templates }: Usage): string[] {
  const known = (filled: string): boolean => filled.includes(".") || words.has(filled);
  const made = (key: string): boolean =>
    templates.some((template) => template.exec(key)?.slice(1).every(known) ?? false);
  const keys = new Set([...english.keys()].map(baseOf));
  return [...keys].filter((key) => !literals.has(key) && !made(key));
}

/** Keys that code asks for and English doesn't have, with the file. */
export function unknownKeys(english: Texts, { asked }: Usage): string[] {
  const keys = new Set([...english.keys()].map(baseOf));
  return [...asked].filter(([key]) => !keys.has(key)).map(([key, path]) => `${key} (${path})`);
}
