import { expect, it } from "vitest";
import { isClockWrong, lockStatusOf, silentSince } from "./lock-status.ts";

const configuredAt = "2026-11-18T12:00:00.000Z";
const mqtt = { driver: "mqtt", online: false, configuredAt, lastSeenAt: null, lastError: null };

it("reports a lock as unreachable only after it was set up", () => {
  expect(lockStatusOf({ ...mqtt, configuredAt: null })).toBe("not_set_up");
  expect(lockStatusOf({ ...mqtt, configuredAt: null, online: true })).toBe("not_set_up");
  expect(lockStatusOf(mqtt)).toBe("unreachable");
  expect(lockStatusOf({ ...mqtt, online: true })).toBe("reachable");
});

it("takes a clock for wrong only if it is known and off by more than two minutes, either way", () => {
  const wrong = [null, 0, 120, -121, 3_600].map((driftSeconds) => isClockWrong({ driftSeconds }));
  expect(wrong).toEqual([false, false, false, true, true]);
});

it("counts a lock behind a gateway that was never heard of as reachable until a command fails", () => {
  const ttlock = { ...mqtt, driver: "ttlock" };
  expect(lockStatusOf(ttlock)).toBe("reachable");
  expect(lockStatusOf({ ...ttlock, lastError: "gateway" })).toBe("unreachable");
  expect(lockStatusOf({ ...ttlock, lastSeenAt: "2026-11-18T13:00:00.000Z" })).toBe("unreachable");
  expect(lockStatusOf({ ...ttlock, lastError: "gateway", online: true })).toBe("reachable");
});

it("reports the keys of a lock as unknown after more than a day of silence", () => {
  const now = Date.parse("2026-11-20T12:00:00.000Z");
  const silence = (lockHeardAt: string | null, lockOnline = false) => silentSince({ lockOnline, lockHeardAt }, now);
  expect(silence("2026-11-19T12:00:00.000Z")).toBeNull();
  expect(silence("2026-11-19T11:59:59.000Z")).toBe("2026-11-19T11:59:59.000Z");
  expect(silence("2026-11-01T00:00:00.000Z", true)).toBeNull();
  expect(silence(null)).toBeNull();
});
