import { describe, expect, it } from "vitest";
import { includesHours, isSameHours, isWithinHours, nextStart, type WeekHours, weekHours } from "./week-hours.ts";

const WORKDAYS: WeekHours = [{ days: [1, 2, 3, 4, 5], from: "07:00", to: "15:30" }];
const NIGHTS: WeekHours = [{ days: [5, 7], from: "22:00", to: "06:00" }];
const isOpen = (hours: WeekHours, instant: string) => isWithinHours(hours, instant, "Europe/Berlin");

describe("days and hours of a key", () => {
  it("are read by the clock on the wall of the hotel, in summer and in winter", () => {
    expect(isOpen(WORKDAYS, "2026-11-18T06:00:00.000Z"), "07:00 on a Wednesday").toBe(true);
    expect(isOpen(WORKDAYS, "2026-11-18T05:59:59.000Z")).toBe(false);
    expect(isOpen(WORKDAYS, "2026-11-18T14:30:00.000Z"), "the end is outside").toBe(false);
    expect(isOpen(WORKDAYS, "2026-07-15T05:00:00.000Z"), "07:00 in summer").toBe(true);
    expect(isOpen(WORKDAYS, "2026-11-21T08:00:00.000Z"), "a Saturday").toBe(false);
  });

  it("may pass midnight, also from Sunday to Monday", () => {
    expect(isOpen(NIGHTS, "2026-11-21T04:59:00.000Z"), "05:59 on Saturday").toBe(true);
    expect(isOpen(NIGHTS, "2026-11-21T05:00:00.000Z"), "06:00 on Saturday").toBe(false);
    expect(isOpen(NIGHTS, "2026-11-21T21:30:00.000Z"), "Saturday night").toBe(false);
    expect(isOpen(NIGHTS, "2026-11-23T03:00:00.000Z"), "04:00 on Monday").toBe(true);
  });

  it("are any time without a period, and a whole day with equal times", () => {
    expect(isOpen([], "2026-11-21T04:59:00.000Z")).toBe(true);
    const tuesdays: WeekHours = [{ days: [2], from: "00:00", to: "00:00" }];
    expect(isOpen(tuesdays, "2026-11-17T22:59:00.000Z")).toBe(true);
    expect(isOpen(tuesdays, "2026-11-17T23:00:00.000Z")).toBe(false);
  });

  it("begin again at the next start", () => {
    const next = (hours: WeekHours, instant: string) => nextStart(hours, instant, "Europe/Berlin");
    expect(next(WORKDAYS, "2026-11-20T15:00:00.000Z"), "from Friday to Monday").toBe("2026-11-23T06:00:00.000Z");
    expect(next(NIGHTS, "2026-11-20T20:59:00.000Z")).toBe("2026-11-20T21:00:00.000Z");
    expect(next([{ days: [3], from: "07:00", to: "08:00" }], "2026-11-18T12:00:00.000Z")).toBe(
      "2026-11-25T06:00:00.000Z",
    );
    expect(next([], "2026-11-18T12:00:00.000Z")).toBeNull();
  });

  it("are compared by what they allow", () => {
    const longer: WeekHours = [{ days: [1, 2, 3, 4, 5, 6], from: "06:00", to: "18:00" }];
    expect([includesHours(longer, WORKDAYS), includesHours(WORKDAYS, longer)]).toEqual([true, false]);
    expect([includesHours([], WORKDAYS), includesHours(WORKDAYS, [])]).toEqual([true, false]);
    const week: WeekHours = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "08:00", to: "08:00" }];
    expect(includesHours(week, [])).toBe(true);
    expect(isSameHours(WORKDAYS, [{ days: [5, 4, 3, 2, 1], from: "07:00", to: "15:30" }])).toBe(true);
    expect(isSameHours(WORKDAYS, NIGHTS)).toBe(false);
  });

  it("are at most seven periods, each with a day and two times", () => {
    const [period] = WORKDAYS;
    expect(weekHours.safeParse(Array(7).fill(period)).success).toBe(true);
    expect(weekHours.safeParse(Array(8).fill(period)).success).toBe(false);
    for (const fields of [{ days: [] }, { days: [8] }, { from: "7:00" }, { to: "24:00" }])
      expect(weekHours.safeParse([{ ...period, ...fields }]).success, JSON.stringify(fields)).toBe(false);
    expect(weekHours.parse([{ ...period, days: [3, 1, 3] }])).toEqual([{ ...period, days: [1, 3] }]);
  });
});
