import { afterEach, expect, it } from "vitest";
import { formatClock, formatInstant, formatTime, rememberHourFormat } from "./formats.ts";

const AFTERNOON = "2026-11-24T15:30:00Z";
afterEach(() => rememberHourFormat("language"));

const written = (): string[] => [
  formatTime("15:30"),
  formatClock(AFTERNOON, "UTC"),
  formatInstant(AFTERNOON, "UTC").slice(-7).trim(),
];

it("writes times of day with the hours that the hotel chose, else as the language does", () => {
  expect(written()).toEqual(["15:30", "15:30", "15:30"].map((time) => expect.stringContaining(time)));
  rememberHourFormat("h12");
  expect(written()).toEqual(["3:30 pm", "3:30 pm", "3:30 pm"]);
  rememberHourFormat("h24");
  expect(written()).toEqual(["15:30", "15:30", "15:30"].map((time) => expect.stringContaining(time)));
});

it("writes them as the language does on a page that an earlier version kept", () => {
  rememberHourFormat("h12");
  rememberHourFormat(undefined);
  expect(formatTime("15:30")).toBe("15:30");
});
