import { addDays, atLocal, localDate } from "@innkey/shared/hotel-time";
import { describe, expect, it } from "vitest";
import { hotelDate, nextMidnight } from "./hotel-clock.ts";

const HOUR = 3_600_000;
const YEAR_HOURS = 8760;
/** Zones with ordinary daylight saving time, half an hour of it, a skipped midnight, a repeated midnight, and none. */
const ZONES = ["Europe/Berlin", "Australia/Lord_Howe", "Africa/Cairo", "America/Havana", "Asia/Shanghai"];

describe.each(ZONES)("%s", (zone) => {
  const instants = Array.from(
    { length: YEAR_HOURS / 5 },
    (_, step) => Date.parse("2026-01-01T00:20:07.500Z") + step * 5 * HOUR,
  );

  it("has the date and the next midnight that Temporal finds, all year", () => {
    for (const now of instants) {
      const date = localDate(new Date(now).toISOString(), zone);
      expect(hotelDate(now, zone)).toBe(date);
      const midnight = new Date(nextMidnight(now, zone)).toISOString();
      expect(midnight).toBe(atLocal(addDays(date, 1), "00:00", zone));
    }
  });
});
