import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../packages/shared/src/languages.ts";
import { readTexts } from "../scripts/lib/locale-files.ts";
import { FORBIDDEN_WORDS, MENU_AND_HEADING, TERMS } from "./wording.ts";

const web = join(import.meta.dirname, "../apps/web/src");
const sources = readdirSync(web, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
const code = sources.map((path) => readFileSync(join(web, path), "utf8")).join("\n");

/** Texts of buttons, tabs and menu items, found where the console names them. */
const inElements = [...code.matchAll(/<(Button|TabsTrigger|DropdownMenuItem)\b([\s\S]{0,800}?)<\/\1>/g)].flatMap(
  ([, , content]) => [...(content ?? "").matchAll(/\bt\("([\w.]+)"[,)]/g)],
);
const inLabels = code.matchAll(/\b(?:confirm|submit|later|act|cancel)Label(?:=\{|: )t\("([\w.]+)"/g);
const buttonKeys = new Set([...inElements, ...inLabels].map(([, key]) => key ?? ""));
const menuKeys = [...readFileSync(join(web, "shell/nav.ts"), "utf8").matchAll(/labelKey: "([\w.]+)"/g)].map(
  ([, key]) => key ?? "",
);

/** Columns a text takes: Chinese, Japanese and Korean characters take two, a value about five. */
function widthOf(text: string): number {
  const plain = text.replace(/\{\{[^}]*\}\}/g, "00000");
  return [...plain].reduce((sum, character) => sum + (/[\u1100-\u11ff\u2e80-\uffef]/.test(character) ? 2 : 1), 0);
}
/** What fits the menu beside its icon, and a button on a phone 360 pixels wide. */
const MENU_WIDTH = 26;
const BUTTON_WIDTH = 42;

function tooWide(texts: ReadonlyMap<string, string>, keys: Iterable<string>, limit: number): string[] {
  return [...keys].flatMap((key) => {
    const text = texts.get(key) ?? texts.get(`${key}_other`);
    return text && widthOf(text) > limit ? [`${key}: ${text}`] : [];
  });
}

it("finds the buttons and menu entries", () => {
  expect(buttonKeys.size).toBeGreaterThan(100);
  expect(menuKeys.length).toBeGreaterThan(35);
});

describe.each(LANGUAGES)("$code", ({ code: language }) => {
  const texts = readTexts(language);

  it("uses none of the words it has better ones for", () => {
    const wrong = [...texts].flatMap(([key, text]) =>
      FORBIDDEN_WORDS[language].flatMap(({ pattern, instead, except }) => {
        const match = except?.test(key) ? null : pattern.exec(text);
        return match ? [`${key}: “${match[0]}” in “${text}”, instead: ${instead}`] : [];
      }),
    );
    expect(wrong.slice(0, 25)).toEqual([]);
  });

  it("names things with the words of the trade", () => {
    const wrong = TERMS.flatMap(({ keys, stems }) =>
      keys
        .filter((key) => !new RegExp(stems[language], "u").test(texts.get(key) ?? ""))
        .map((key) => `${key}: ${texts.get(key)}, instead of ${stems[language]}`),
    );
    expect(wrong).toEqual([]);
  });

  it("gives a page's heading and its menu entry the same words", () => {
    const wrong = MENU_AND_HEADING.filter(([menu, heading]) => texts.get(menu) !== texts.get(heading));
    expect(wrong.map(([menu, heading]) => `${texts.get(menu)} / ${texts.get(heading)}`)).toEqual([]);
  });

  it("keeps a number and its unit on one line", () => {
    const loose = [...texts].filter(([, text]) => /[0-9}] (?:MB|MiB|Mo|%|s)(?![\p{L}’])/u.test(text));
    expect(loose.map(([key, text]) => `${key}: ${text}`)).toEqual([]);
  });

  it("fits its menu entries and buttons", () => {
    expect(tooWide(texts, menuKeys, MENU_WIDTH), "menu").toEqual([]);
    expect(tooWide(texts, buttonKeys, BUTTON_WIDTH), "buttons").toEqual([]);
  });

  if (language === "German") {
    it("keeps the three dots of an action with their word", () => {
      expect([...texts].filter(([, text]) => /[ \p{L}]…/u.test(text)).map(([key, text]) => `${key}: ${text}`)).toEqual(
        [],
      );
    });
  }
});
