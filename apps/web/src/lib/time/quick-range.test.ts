import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dayRange, rangeOf } from "./quick-range.ts";

vi.mock("../i18n.ts", () => ({ language: { tag: "en" } }));

const ZONE = "Europe/Berlin";
beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-11-18T23:30:00.000Z") }));
afterEach(() => void vi.useRealTimers());

it("today, yesterday and a week ago are days of the hotel's clock", () => {
  expect(rangeOf("today", ZONE)).toEqual({ from: "2026-11-18T23:00:00.000Z", to: "2026-11-19T23:00:00.000Z" });
  expect(rangeOf("yesterday", ZONE)).toEqual({ from: "2026-11-17T23:00:00.000Z", to: "2026-11-18T23:00:00.000Z" });
  expect(rangeOf("week", ZONE)).toEqual({ from: "2026-11-11T23:00:00.000Z", to: "2026-11-19T23:00:00.000Z" });
  expect(rangeOf("tomorrow", ZONE)).toEqual({ from: "2026-11-19T23:00:00.000Z", to: "2026-11-20T23:00:00.000Z" });
  expect(rangeOf("next", ZONE)).toEqual({ from: "2026-11-18T23:00:00.000Z", to: "2026-11-26T23:00:00.000Z" });
  expect(rangeOf(undefined, ZONE)).toEqual({});
  expect(dayRange("2026-03-29", ZONE)).toEqual({ from: "2026-03-28T23:00:00.000Z", to: "2026-03-29T22:00:00.000Z" });
  expect(dayRange("tomorrow", ZONE)).toEqual({});
  expect(dayRange("2026-02-30", ZONE)).toEqual({});
});
