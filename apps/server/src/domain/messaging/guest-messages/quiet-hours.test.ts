import { expect, it } from "vitest";
import { endOfQuiet } from "./quiet-hours.ts";

const NIGHT = { from: "22:00", to: "08:00" };
const at = (time: string, quiet: typeof NIGHT | null, zone = "Europe/Berlin") =>
  endOfQuiet(new Date(time), quiet, zone)?.toISOString() ?? null;

it("is over in the morning, by the hotel's clock", () => {
  expect(at("2026-11-27T20:59:00Z", NIGHT)).toBe(null);
  expect(at("2026-11-27T21:00:00Z", NIGHT)).toBe("2026-11-28T07:00:00.000Z");
  expect(at("2026-11-28T06:59:00Z", NIGHT)).toBe("2026-11-28T07:00:00.000Z");
  expect(at("2026-11-28T07:00:00Z", NIGHT)).toBe(null);
  expect(at("2026-11-27T21:00:00Z", NIGHT, "Asia/Tokyo")).toBe("2026-11-27T23:00:00.000Z");
});

it("ends when the clock says so in the night in which it is set back", () => {
  expect(at("2026-10-24T21:00:00Z", NIGHT)).toBe("2026-10-25T07:00:00.000Z");
});

it("may lie within a day, or not exist", () => {
  expect(at("2026-11-27T12:30:00Z", { from: "13:00", to: "15:00" })).toBe("2026-11-27T14:00:00.000Z");
  expect(at("2026-11-27T14:00:00Z", { from: "13:00", to: "15:00" })).toBe(null);
  expect(at("2026-11-27T23:00:00Z", null)).toBe(null);
});
