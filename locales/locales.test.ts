import { describe, expect, it } from "vitest";
import { ERRORS } from "../packages/shared/src/errors.ts";
import { LANGUAGES, type LanguageCode } from "../packages/shared/src/languages.ts";
import { v } from "../packages/shared/src/schemas/fields.ts";
import { baseOf, expectedTexts, pluralCategoryOf, readTexts, type Texts } from "../scripts/lib/locale-files.ts";
import { readUsage, unknownKeys, unusedKeys } from "../scripts/lib/locale-usage.ts";
import { isRightlyEnglish } from "./same-in-english.ts";

const english = readTexts("en");
const others = LANGUAGES.filter(({ code }) => code !== "en");

/** A list that stays readable when all of a language is wrong. */
function brief(problems: string[]): string[] {
  return problems.length <= 25 ? problems : [...problems.slice(0, 25), `… and ${problems.length - 25} more`];
}

const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<\/?\w+\s*\/?>/g)].map(([whole, name]) => name ?? whole).toSorted();

/** Forms for one, two or none may say the number in words. */
const NUMBERS = ["count", "formatted"];
const sayable = (key: string): readonly string[] =>
  ["zero", "one", "two"].includes(pluralCategoryOf(key) ?? "") ? NUMBERS : [];

const proseOf = (text: string): string => text.replace(/\{\{[^}]*\}\}|<[^>]*>/g, " ");
const hasWords = (text: string): boolean => /\p{L}{2,}/u.test(proseOf(text));

const SCRIPTS: Partial<Record<LanguageCode, RegExp>> = {
  chs: /\p{Script=Han}/u,
  chsTW: /\p{Script=Han}/u,
  Japanese: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
  Korean: /\p{Script=Hangul}/u,
  Russian: /\p{Script=Cyrillic}/u,
  Arabic: /\p{Script=Arabic}/u,
};

/** Characters that only one of the two ways to write Chinese has, at the same places. */
const SIMPLIFIED = "们这为进门锁证订单间电设删码图时长请输择选换认远续费价务员页条级华语录启闭错误";
const TRADITIONAL = "們這為進門鎖證訂單間電設刪碼圖時長請輸擇選換認遠續費價務員頁條級華語錄啟閉錯誤";

function withCharacters(texts: Texts, characters: string): string[] {
  return [...texts]
    .filter(([, text]) => [...characters].some((one) => text.includes(one)))
    .map(([key, text]) => `${key}: ${text}`);
}

describe("English", () => {
  const usage = readUsage();

  it("has no text that nothing asks for", () => {
    // Every error has its text, thrown or not: the next test asks for them.
    const unused = unusedKeys(english, usage).filter((key) => !(key.replace("errors.", "") in ERRORS));
    expect(brief(unused)).toEqual([]);
  });

  it("has every text that is asked for", () => {
    expect(brief(unknownKeys(english, usage))).toEqual([]);
  });

  it("has a message for every error and every rule of a field, and none for errors that don't exist", () => {
    const keys = new Set([...english.keys()].map(baseOf));
    // The last two are found by the console itself: the server didn't answer.
    const errorCodes = [...Object.keys(ERRORS), "network", "timeout"];
    const expectedNames = [...errorCodes.map((code) => `errors.${code}`), ...Object.values(v)];
    expect(
      expectedNames.filter((key) => !keys.has(key)),
      "missing",
    ).toEqual([]);
    const errors = [...keys].filter((key) => key.startsWith("errors."));
    expect(
      errors.filter((key) => !expectedNames.includes(key)),
      "no such error",
    ).toEqual([]);
  });

  it("is not blank anywhere, and forms its plurals fully", () => {
    const wrong = [...expectedTexts(english, "en").keys()].filter((key) => !english.get(key)?.trim());
    expect(wrong).toEqual([]);
  });
});

describe.each(others)("$code", ({ code, dir }) => {
  const texts = readTexts(code);
  const expected = expectedTexts(english, code);

  it("has every text, each plural in all its forms, and nothing else", () => {
    expect(brief([...expected.keys()].filter((key) => !texts.get(key)?.trim())), "missing").toEqual([]);
    expect(brief([...texts.keys()].filter((key) => !expected.has(key))), "not in English").toEqual([]);
  });

  it("puts in the same values as English", () => {
    const wrong = [...texts].flatMap(([key, text]) => {
      const expectedNames = placeholdersOf(expected.get(key) ?? "");
      const names = placeholdersOf(text);
      const optional = sayable(key);
      const same =
        expectedNames.filter((name) => !optional.includes(name)).join() ===
        names.filter((name) => !optional.includes(name)).join();
      return expected.has(key) && !same
        ? [`${key}: ${names.join(", ") || "nothing"} instead of ${expectedNames.join(", ") || "nothing"}`]
        : [];
    });
    expect(brief(wrong)).toEqual([]);
  });

  it("is not left in English", () => {
    const untranslated = [...texts].filter(
      ([key, text]) => text === expected.get(key) && hasWords(text) && !isRightlyEnglish(text, code),
    );
    expect(brief(untranslated.map(([key, text]) => `${key}: ${text}`))).toEqual([]);
  });

  const script = SCRIPTS[code];
  if (script) {
    it("is written in its own script", () => {
      const foreign = [...texts].filter(
        ([, text]) => hasWords(text) && !script.test(text) && !isRightlyEnglish(text, code),
      );
      expect(brief(foreign.map(([key, text]) => `${key}: ${text}`))).toEqual([]);
    });
  }

  if (code === "chs" || code === "chsTW") {
    it("keeps to its way of writing Chinese", () => {
      expect(brief(withCharacters(texts, code === "chs" ? TRADITIONAL : SIMPLIFIED))).toEqual([]);
    });
  }

  if (code === "French") {
    it("begins no line with a mark: the space before it does not break", () => {
      const loose = [...texts].filter(([, text]) => / [:;?!»]|« /.test(text));
      expect(brief(loose.map(([key, text]) => `${key}: ${text}`))).toEqual([]);
    });
  }

  if (dir === "ltr") {
    it("has no right-to-left marks", () => {
      expect([...texts].filter(([, text]) => /[\u200f\u202b\u202e\u2067]/.test(text)).map(([key]) => key)).toEqual([]);
    });
  }
});
