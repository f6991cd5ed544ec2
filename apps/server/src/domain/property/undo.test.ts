import { expect, it } from "vitest";
import { firstUndoable } from "./undo.ts";

const BERLIN = { timeZone: "Europe/Berlin", dayStartTime: "05:00" };

it.each([
  // Wednesday 18 November, 15:00 in Berlin: its business day began at 4:00 UTC, and nobody closed Tuesday.
  ["without a night audit: yesterday and today", "2026-11-18T14:00:00.000Z", null, "2026-11-17T04:00:00.000Z"],
  ["after a night audit that was long ago", "2026-11-18T14:00:00.000Z", "2026-10-01", "2026-11-17T04:00:00.000Z"],
  ["with yesterday closed: today", "2026-11-18T14:00:00.000Z", "2026-11-17", "2026-11-18T04:00:00.000Z"],
  ["at night, before the next day begins", "2026-11-19T02:00:00.000Z", "2026-11-17", "2026-11-18T04:00:00.000Z"],
  ["right after the day that is closed", "2026-11-19T04:03:00.000Z", "2026-11-18", "2026-11-19T03:53:00.000Z"],
  ["with today closed ahead of time", "2026-11-18T14:00:00.000Z", "2026-11-18", "2026-11-18T13:50:00.000Z"],
  ["on the night when clocks go back", "2026-10-25T12:00:00.000Z", "2026-10-24", "2026-10-25T04:00:00.000Z"],
])("what may still be undone begins %s", (_when, now, lastClosed, since) => {
  expect(firstUndoable(new Date(now), BERLIN, lastClosed)).toBe(since);
});
