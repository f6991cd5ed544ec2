import { type HourFormat, timeTag } from "@innkey/shared/hour-format";
import { LANGUAGES } from "@innkey/shared/languages";
import { describe, expect, it } from "vitest";
import { readDate, readDateTime, readTime } from "./read-dates.ts";

const today = "2026-11-25";
const english = { tag: "en-GB", today };
const american = { tag: "en-US", today };
const german = { tag: "de", today };
const chinese = { tag: "zh-Hans-CN", today };

const DAYS = Array.from({ length: 75 }, (_, step) => new Date(Date.UTC(2026, 0, 1) + step * 5 * 86_400_000));
const HOURS = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 25, hour, (hour * 7) % 60)));
const STYLES: Intl.DateTimeFormatOptions["dateStyle"][] = ["short", "medium", "long", "full"];

describe.each(LANGUAGES)("$code", ({ tag }) => {
  const rules = { tag, today };

  it.each(STYLES)("reads every date that it writes in %s form", (dateStyle) => {
    const format = new Intl.DateTimeFormat(tag, { dateStyle, timeZone: "UTC" });
    for (const day of DAYS) {
      const text = format.format(day);
      expect([text, readDate(text, rules)?.date]).toEqual([text, day.toISOString().slice(0, 10)]);
    }
  });

  it.each<HourFormat>(["language", "h12", "h24"])("reads every hour that it writes (%s)", (hourFormat) => {
    const dateTime = new Intl.DateTimeFormat(timeTag(tag, hourFormat), {
      ...{ dateStyle: "medium", timeStyle: "short", timeZone: "UTC" },
    });
    const time = new Intl.DateTimeFormat(timeTag(tag, hourFormat), { timeStyle: "short", timeZone: "UTC" });
    for (const hour of HOURS) {
      const [date, clock] = [hour.toISOString().slice(0, 10), hour.toISOString().slice(11, 16)];
      const text = dateTime.format(hour);
      expect([text, readDateTime(text, rules)]).toEqual([text, { date, time: clock, isComplete: true }]);
      expect([text, readTime(time.format(hour), tag)?.time]).toEqual([text, clock]);
    }
  });

  it("reads ISO 8601", () => {
    expect(readDate("2026-03-04", rules)).toEqual({ date: "2026-03-04", isComplete: true });
    const read = { date: "2026-11-25", time: "14:30", isComplete: true };
    expect(readDateTime("2026-11-25 14:30", rules)).toEqual(read);
    expect(readDateTime("2026-11-25T14:30", rules)).toEqual(read);
    expect(readTime("14:30", tag)).toEqual({ time: "14:30", isComplete: true });
  });
});

it("takes day and month in the order of the language, and in the other if only that makes a date", () => {
  expect(readDate("3/4/2026", english)?.date).toBe("2026-04-03");
  expect(readDate("3/4/2026", american)?.date).toBe("2026-03-04");
  expect(readDate("3.4.2026", german)?.date).toBe("2026-04-03");
  expect(readDate("25/11/2026", american)?.date).toBe("2026-11-25");
  expect(readDate("11/25/2026", english)?.date).toBe("2026-11-25");
  expect(readDate("2026/3/4", german)?.date).toBe("2026-03-04");
  expect(readDate("26-11-25", chinese)?.date).toBe("2026-11-25");
  expect(readDate("20261125", english)?.date).toBe("2026-11-25");
  expect(readDate("2026-25-11", english)).toBeNull();
});

it("guesses what was left out, and knows that it did", () => {
  expect(readDate("5.1.", german)).toEqual({ date: "2027-01-05", isComplete: false });
  expect(readDate("25 nov", english)).toEqual({ date: "2026-11-25", isComplete: false });
  expect(readDate("Novem 25", english)?.date).toBe("2026-11-25");
  expect(readDate("25.11.26", german)).toEqual({ date: "2026-11-25", isComplete: false });
  expect(readDate("25.11.71", german)?.date).toBe("1971-11-25");
  expect(readDate("25.12.26", { ...german, max: today })?.date).toBe("2026-12-25");
  expect(readDate("25.12.30", { ...german, max: today })?.date).toBe("1930-12-25");
  expect(readDateTime("25.11.2026", german)).toEqual({ date: "2026-11-25", time: null, isComplete: false });
  expect(readDateTime("tomorrow 2pm", english)).toEqual({ date: "2026-11-26", time: "14:00", isComplete: true });
  expect(readDate("heute", german)?.date).toBe(today);
});

it("reads times with few keys", () => {
  expect(
    ["9", "930", "14", "1430", "14.30", "2:30 PM", "2 p.m.", "12am"].map((text) => readTime(text, english.tag)?.time),
  ).toEqual(["09:00", "09:30", "14:00", "14:30", "14:30", "14:30", "14:00", "00:00"]);
});

it.each([
  "hello",
  "2026-02-30",
  "31/11/2026",
  "32",
  "25.13.2026 hello",
  "1/2/3/4",
  "",
  "2026-11-25 soon",
  "11/25/2",
  "0/0/0",
])("doesn't take %j for a date", (text) => {
  expect(readDate(text, english)).toBeNull();
  expect(readDateTime(text, english)).toBeNull();
});

it.each(["25:00", "14:60", "noon-ish", "2660", "13:00 am", "", "2:30 2:40"])("doesn't take %j for a time", (text) => {
  expect(readTime(text, english.tag)).toBeNull();
});

it("doesn't take a date with an impossible time", () => {
  expect(readDateTime("2026-11-25 25:00", english)).toBeNull();
  expect(readDateTime("2026-11-25 14:75", english)).toBeNull();
});
