import { expect, it } from "vitest";
import { credential, HOUR, NOON, sendCommand, testLock, writtenCard } from "./lock-under-test.ts";
import { visit, visitProbability } from "./street.ts";

/** Returns a generator of repeatable pseudo-random numbers between 0 and 1. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

it("generates openings from outside and inside, and few mistakes", () => {
  const { lock } = testLock({ capacity: 10 });
  sendCommand(lock, "set_credential", credential(1, { kind: "passcode", code: "402917" }));
  sendCommand(lock, "set_credential", credential(2, { kind: "card", uid: "04A1B2C3D4E580" }));
  sendCommand(
    lock,
    "set_credential",
    credential(3, { kind: "passcode", code: "402918", validTo: new Date(NOON).toISOString() }),
  );
  const random = sequence();
  const cards = [writtenCard(), writtenCard({ opens: { lock: 1 } })];
  for (let n = 0; n < 400; n += 1) visit(lock, cards, random);
  const { events } = lock.memory;
  expect(new Set(events.map(({ style }) => style))).toEqual(new Set(["card", "passcode", "inside"]));
  const refused = events.filter(({ success }) => !success);
  expect(refused.every(({ style, reason }) => style === "passcode" && reason === "unknown")).toBe(true);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(40);
  expect(lock.memory.power).toBeLessThan(95);
});

it("follows the hours of the hotel and stops when it is switched off", () => {
  const { lock } = testLock();
  const morning = visitProbability("normal", lock, new Date("2026-11-22T09:00:00Z"), HOUR);
  const night = visitProbability("normal", lock, new Date("2026-11-22T02:00:00Z"), HOUR);
  expect(morning).toBeGreaterThan(10 * night);
  expect(visitProbability("off", lock, new Date(NOON), HOUR)).toBe(0);
});
