import { LANGUAGES, type Language, languageOf } from "@innkey/shared/languages";
import type en from "../../../../locales/en.json";

type Section = (typeof en)["guestPage"];
type KeysOf<Branch, Path extends string> = {
  [Key in keyof Branch & string]: Branch[Key] extends string ? `${Path}${Key}` : KeysOf<Branch[Key], `${Path}${Key}.`>;
}[keyof Branch & string];
/** A text of the guests' page; any other key is a compile error. */
export type TextKey = KeysOf<Section, "guestPage.">;

type Branch = { [key: string]: string | Branch };
const parts = import.meta.glob<{ default: Branch }>("../../../../locales/*.json", { query: "?part=guest" });
const STORED = "language";

let texts: Branch = {};
export let language: Language = LANGUAGES[2];

/** Returns the language that was chosen here, else the first of the browser's that we have; null if there is none. */
export function preferredLanguage(): Language | null {
  const stored = LANGUAGES.find(({ code }) => code === localStorage.getItem(STORED));
  if (stored) return stored;
  const tag = navigator.languages.find((one) => languageOf(one).code !== "en" || one.startsWith("en"));
  return tag === undefined ? null : languageOf(tag);
}

export function storeLanguage(code: string): void {
  localStorage.setItem(STORED, code);
}

/** Loads the texts of a language and tells the browser which it is. */
export async function loadLanguage(next: Language): Promise<void> {
  const load = parts[`../../../../locales/${next.code}.json`];
  if (!load) throw new Error(`no texts for ${next.code}`);
  texts = (await load()).default;
  language = next;
  document.documentElement.lang = next.tag;
  document.documentElement.dir = next.dir;
}

/** Returns a text with its placeholders `{{name}}` filled. */
export function t(key: TextKey, values: Record<string, string> = {}): string {
  const branch = key
    .split(".")
    .reduce<string | Branch | undefined>((inner, name) => (typeof inner === "object" ? inner[name] : undefined), texts);
  return typeof branch === "string" ? branch.replace(/\{\{(\w+)\}\}/g, (_whole, name) => values[name] ?? "") : "";
}
