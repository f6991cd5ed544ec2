import { expect, it, vi } from "vitest";
import { formatMonth, formatRelative, formatShort, joinItems } from "./format.ts";

const language = vi.hoisted(() => ({ code: "en", tag: "en-GB" }));
vi.mock("./i18n.ts", () => ({ language }));

const NOW = Date.parse("2026-11-27T12:00:00Z");

it.each([
  ["2026-11-27T12:00:00Z", "now"],
  ["2026-11-27T11:59:01Z", "now"],
  ["2026-11-27T12:00:59Z", "now"],
  ["2026-11-27T11:58:00Z", "2 minutes ago"],
  ["2026-11-27T15:00:00Z", "in 3 hours"],
  ["2026-11-26T11:00:00Z", "yesterday"],
])("writes %s relative to noon as “%s”", (instant, text) => {
  expect(formatRelative(instant, NOW)).toBe(text);
});

it("writes hours before ten as every other time of the language", () => {
  expect(formatShort("2026-11-27T07:40:00Z", "UTC")).toBe("27 Nov, 07:40");
});

it("writes a month alone", () => {
  expect(formatMonth("2026-11-01")).toBe("November");
});

it.each([
  ["en-GB", "101, 102"],
  ["ko", "101, 102"],
  ["zh-Hant", "101、102"],
  ["ja", "101、102"],
  ["ar", "101، 102"],
])("joins items in %s as “%s”", (tag, text) => {
  language.tag = tag;
  expect(joinItems(["101", "102"])).toBe(text);
  language.tag = "en-GB";
});
