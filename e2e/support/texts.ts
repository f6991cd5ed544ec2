import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

type Texts = { [key: string]: string | Texts };
export type Translate = (key: string, values?: Record<string, string | number>) => string;

/** The console's own texts in a language, by its storage code. */
export function textsIn(language: string): Translate {
  const path = fileURLToPath(new URL(`../../locales/${language}.json`, import.meta.url));
  const texts = JSON.parse(readFileSync(path, "utf8")) as Texts;
  return (key, values = {}) => {
    const found = key
      .split(".")
      .reduce<string | Texts | undefined>((at, part) => (typeof at === "object" ? at[part] : undefined), texts);
    if (typeof found !== "string") throw new Error(`no text ${key} in ${language}`);
    return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
  };
}
