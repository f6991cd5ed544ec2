import { expect, it } from "vitest";
import { LANGUAGES, languageOf } from "./languages.ts";

it("write dates and numbers as the country does whose usage their texts follow", () => {
  const written = (code: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LANGUAGES.find((language) => language.code === code)?.tag, {
      timeZone: "UTC",
      ...options,
    }).format(new Date("2026-11-05T15:30:00Z"));
  expect(written("en", { dateStyle: "medium", timeStyle: "short" })).toBe("5 Nov 2026, 15:30");
  expect(written("en", { dateStyle: "short" })).toBe("05/11/2026");
  expect(written("Portuguese", { dateStyle: "short" })).toBe("05/11/2026");
  expect(LANGUAGES.map(({ tag }) => new Intl.Locale(tag).maximize().region)).toEqual([
    "CN",
    "TW",
    "GB",
    "KR",
    "DE",
    "RU",
    "ES",
    "EG",
    "BR",
    "JP",
    "FR",
    "IT",
  ]);
  expect(["en-US", "en", "pt-PT", "pt"].map((name) => languageOf(name).tag)).toEqual([
    "en-GB",
    "en-GB",
    "pt-BR",
    "pt-BR",
  ]);
});

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
