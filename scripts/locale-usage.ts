import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { baseOf, type Texts } from "./locale-files.ts";

const root = join(import.meta.dirname, "..");
const SOURCES = ["apps/web/src/**/*.{ts,tsx}", "apps/server/src/**/*.ts", "packages/shared/src/**/*.ts"];
const LITERAL = /["'`]([a-z]\w*(?:\.\w+)+)["'`]/g;
/** `section.${word}` and `section.${word}.part`: a whole word of the key is filled in, or the end of one. */
const TEMPLATE = /`([a-z]\w*\.[\w.]*(?:\$\{[^`{}]*(?:\{[^`{}]*\}[^`{}]*)*\}[\w.]*)+)`/g;
const HOLE = /\$\{[^`{}]*(?:\{[^`{}]*\}[^`{}]*)*\}/;
/** Where only a key can stand. */
const ASKED = /\b(?:t|textOf)\(\s*"([a-z]\w*(?:\.\w+)+)"|"((?:validation|errors)\.\w+)"/g;

export interface Usage {
  /** keys written out anywhere in the sources */
  literals: ReadonlySet<string>;
  /** keys that sources build from a template */
  templates: readonly RegExp[];
  /** keys that sources certainly ask for, with the file that does */
  asked: ReadonlyMap<string, string>;
}

/** How the product's sources use the texts; tests don't count. */
export function readUsage(): Usage {
  const literals = new Set<string>();
  const templates = new Map<string, RegExp>();
  const asked = new Map<string, string>();
  for (const path of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))) {
    if (/\.test\.tsx?$|\.gen\.ts$|[\\/]generated[\\/]|[\\/]testing[\\/]/.test(path)) continue;
    const source = readFileSync(join(root, path), "utf8");
    for (const [, key = ""] of source.matchAll(LITERAL)) literals.add(key);
    for (const [, template = ""] of source.matchAll(TEMPLATE)) templates.set(template, patternOf(template));
    for (const [, key, message] of source.matchAll(ASKED)) asked.set(key ?? message ?? "", path);
  }
  return { literals, templates: [...templates.values()], asked };
}

function patternOf(template: string): RegExp {
  const parts = template.split(new RegExp(HOLE, "g")).map((part) => part.replaceAll(".", "\\."));
  return new RegExp(`^${parts.join("[A-Za-z0-9_-]+")}$`);
}

export function unusedKeys(english: Texts, { literals, templates }: Usage): string[] {
  const keys = new Set([...english.keys()].map(baseOf));
  return [...keys].filter((key) => !literals.has(key) && !templates.some((template) => template.test(key)));
}

/** Keys that code asks for and English doesn't have, with the file. */
export function unknownKeys(english: Texts, { asked }: Usage): string[] {
  const keys = new Set([...english.keys()].map(baseOf));
  return [...asked].filter(([key]) => !keys.has(key)).map(([key, path]) => `${key} (${path})`);
}
