import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BadNetwork, LATE_MS } from "./lock-client.ts";
import { NO_LOCK_FAULTS } from "./lock-faults.ts";

let packets: unknown[];
let network: BadNetwork;

beforeEach(() => {
  vi.useFakeTimers();
  packets = [];
  network = new BadNetwork(
    (message) => packets.push(message),
    () => 0.5,
  );
});
afterEach(() => vi.useRealTimers());

it("delivers each message once and in order by default", () => {
  for (const message of ["one", "two"]) network.deliver(message, NO_LOCK_FAULTS);
  expect(packets).toEqual(["one", "two"]);
});

it("delivers a message twice when asked to", () => {
  network.deliver("one", { ...NO_LOCK_FAULTS, doubleCommands: 1 });
  expect(packets).toEqual(["one", "one"]);
});

it("delivers a delayed message after the next one, or late if there is none, and nothing after it ends", () => {
  const late = { ...NO_LOCK_FAULTS, lateCommands: 1 };
  network.deliver("one", late);
  network.deliver("two", NO_LOCK_FAULTS);
  expect(packets).toEqual(["two", "one"]);
  network.deliver("three", late);
  vi.advanceTimersByTime(LATE_MS - 1);
  expect(packets).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(packets).toEqual(["two", "one", "three"]);
  network.deliver("four", late);
  network.stop();
  vi.advanceTimersByTime(LATE_MS);
  expect(packets).toHaveLength(3);
});
