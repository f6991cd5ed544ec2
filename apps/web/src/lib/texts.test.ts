import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LANGUAGES } from "@innkey/shared/languages";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { type Branch, createTexts } from "./texts.ts";

const PLURAL = /_(zero|one|two|few|many|other)$/;
const COUNTS = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000];

function keysOf(branch: Branch, path = ""): string[] {
  return Object.entries(branch).flatMap(([key, value]) =>
    typeof value === "string" ? [path + key] : keysOf(value, `${path}${key}.`),
  );
}

describe.each(LANGUAGES)("$code", ({ code, tag }) => {
  const path = fileURLToPath(new URL(`../../../../locales/${code}.json`, import.meta.url));
  const locale = JSON.parse(readFileSync(path, "utf8")) as Branch;

  it("reads every text as i18next does", async () => {
    const reference = i18next.createInstance();
    await reference.init({
      lng: tag,
      fallbackLng: false,
      interpolation: { escapeValue: false },
      resources: { [tag]: { translation: locale } },
      showSupportNotice: false,
    });
    const texts = createTexts(tag);
    texts.add(locale);
    const params: Record<string, string> = {};
    for (const [, name] of JSON.stringify(locale).matchAll(/\{\{(\w+)\}\}/g))
      if (name) params[name] = `<${name} & "more">`;
    const keys = keysOf(locale);
    const inflected = new Set(keys.filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, "")));
    const stems = new Set(keys.map((key) => key.replace(PLURAL, "")));
    for (const key of stems) {
      for (const count of inflected.has(key) ? COUNTS : COUNTS.slice(0, 2)) {
        const expected = reference.t(key, { ...params, count });
        expect(texts.find(key, { ...params, count }), `${key} of ${count}`).toBe(expected);
      }
    }
    expect(texts.find("no.such.text")).toBeUndefined();
  });
});
