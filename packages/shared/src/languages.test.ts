import { expect, it } from "vitest";
import { LANGUAGES, languageOf } from "./languages.ts";

it("are twelve, each with its code and its Accept-Language header", () => {
  expect(LANGUAGES.map(({ code, header }) => [code, header])).toEqual([
    ["chs", "zh-CN"],
    ["chsTW", "zh-TW"],
    ["en", "en"],
    ["Korean", "ko"],
    ["German", "de"],
    ["Russian", "ru-RU"],
    ["Spanish", "es"],
    ["Arabic", "ar"],
    ["Portuguese", "pt"],
    ["Japanese", "ja"],
    ["French", "fr"],
    ["Italian", "it"],
  ]);
  for (const { code, header } of LANGUAGES)
    expect([code, header].map((name) => languageOf(name).code)).toEqual([code, code]);
});
