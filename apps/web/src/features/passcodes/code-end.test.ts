import { expect, it } from "vitest";
import { codeEndsAt, isDayOver } from "./code-end.ts";

const BERLIN = "Europe/Berlin";
const at = (local: string): number => Date.parse(`${local}+01:00`);

it.each([
  ["hour", "2026-11-18T09:10", "2026-11-18T10:10"],
  ["twoHours", "2026-11-18T23:10", "2026-11-19T01:10"],
  ["today", "2026-11-18T09:10", "2026-11-18T18:00"],
  ["today", "2026-11-18T17:00", "2026-11-18T18:00"],
  ["today", "2026-11-18T17:01", "2026-11-18T23:59"],
  ["today", "2026-11-18T20:00", "2026-11-18T23:59"],
  ["tomorrow", "2026-11-18T00:30", "2026-11-19T12:00"],
] as const)("%s from %s ends at %s", (end, now, expected) => {
  expect(codeEndsAt(end, at(now), BERLIN)).toBe(new Date(at(expected)).toISOString());
});

it("leaves a chosen end to the form, and knows when the day is over", () => {
  expect(codeEndsAt("date", at("2026-11-18T09:10"), BERLIN)).toBeNull();
  expect(isDayOver(at("2026-11-18T23:29"), BERLIN)).toBe(false);
  expect(isDayOver(at("2026-11-18T23:40"), BERLIN)).toBe(true);
});
