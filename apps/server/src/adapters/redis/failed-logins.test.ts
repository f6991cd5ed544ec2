import { expect, it } from "vitest";
import { FailedLogins } from "../mqtt/broker-limits.ts";

it("delays answers to an address more with each failure, and resets after a while", () => {
  const failed = new FailedLogins();
  const delays = Array.from({ length: 14 }, (_, index) => failed.delayMs("10.0.0.9", index));
  expect(delays.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
  expect(delays.slice(5, 8)).toEqual([100, 200, 400]);
  expect(delays.at(-1)).toBe(5_000);
  expect(failed.delayMs("10.0.0.8", 20)).toBe(0);
  expect(failed.delayMs("10.0.0.9", 70_000)).toBe(0);
});
