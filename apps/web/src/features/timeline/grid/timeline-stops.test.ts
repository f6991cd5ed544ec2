import type { TimelineBar } from "@innkey/shared/schemas/overview/timeline";
import { expect, it } from "vitest";
import { stopNear, stopsOf } from "./grid-position.ts";
import type { TimelineLine } from "./timeline-rows.ts";

const DATES = ["2026-11-18", "2026-11-19", "2026-11-20"];
const scale = { starts: DATES.map((date) => Date.parse(`${date}T00:00:00Z`)), end: Date.parse("2026-11-21T00:00:00Z") };
const room = {
  id: 1,
  name: "101",
  remarkName: "",
  groupId: null,
  sort: 0,
  status: "vacant",
  lockOnline: null,
} as const;
const bar = (occupancyId: number, startsAt: string, endsAt: string): TimelineBar => ({
  ...{ occupancyId, roomId: 1, kind: "maintenance", state: "held", startsAt, endsAt, note: "", stay: null },
});
const line = (...bars: TimelineBar[]): TimelineLine => ({ kind: "room", room, bars });
const keys = (which: TimelineLine): string[] => stopsOf(which, DATES, scale, 0).map(({ key }) => key);

it("stops at bars and at free nights", () => {
  const one = bar(5, "2026-11-18T15:00:00Z", "2026-11-19T11:00:00Z");
  expect(keys(line(one))).toEqual(["bar:5", "cell:2026-11-19", "cell:2026-11-20"]);
  const two = [one, bar(6, "2026-11-19T15:00:00Z", "2026-11-21T11:00:00Z")];
  expect(keys(line(...two))).toEqual(["bar:5", "bar:6"]);
  expect(keys({ kind: "group", id: 1, name: "First", count: 1, open: true })).toEqual(["group"]);
});

it("finds the stop of another line at the same place in time", () => {
  const stops = stopsOf(line(bar(5, "2026-11-18T15:00:00Z", "2026-11-20T11:00:00Z")), DATES, scale, 0);
  expect(stopNear(stops, 1.2)?.key).toBe("bar:5");
  expect(stopNear(stops, 2.9)?.key).toBe("cell:2026-11-20");
  expect(stopNear([], 1)).toBeUndefined();
});
