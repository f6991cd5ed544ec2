import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, it } from "vitest";
import { addDays, atLocal, daysBetween } from "./hotel-time.ts";

const dates = fc
  .date({ min: new Date("1970-01-01"), max: new Date("2199-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

it("counts days as the calendar does", () => {
  fc.assert(
    fc.property(dates, fc.integer({ min: -40_000, max: 40_000 }), dates, (from, days, to) => {
      expect(addDays(from, days)).toBe(Temporal.PlainDate.from(from).add({ days }).toString());
      const { days: between } = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to));
      expect(daysBetween(from, to)).toBe(between);
    }),
  );
});

it.each(["2026-02-30x", "", "2026-13-01"])("refuses %o as a date", (date) => {
  expect(() => addDays(date, 1)).toThrow(RangeError);
  expect(() => daysBetween(date, "2026-01-01")).toThrow(RangeError);
  expect(() => atLocal(date, "00:00", "Europe/Berlin")).toThrow(RangeError);
});

it("finds the instant of a local time, the first time and later", () => {
  const zones = ["Europe/Berlin", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe"];
  const times = ["00:00", "02:30", "14:00"];
  fc.assert(
    fc.property(dates, fc.constantFrom(...times), fc.constantFrom(...zones), (date, time, timeZone) => {
      const plainTime = Temporal.PlainTime.from(time);
      const { epochMilliseconds } = Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime });
      for (const _again of [1, 2]) expect(Date.parse(atLocal(date, time, timeZone))).toBe(epochMilliseconds);
    }),
  );
});
