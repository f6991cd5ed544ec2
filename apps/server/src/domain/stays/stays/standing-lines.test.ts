import { creditOf, type QuoteLine, totalOf } from "@innkey/shared/price-rules";
import { expect, it } from "vitest";
import { netLines } from "./pricing.ts";

const night = (date: string, minor: number): QuoteLine => ({
  kind: "usual",
  date,
  startsAt: `${date}T04:00:00.000Z`,
  endsAt: `${date}T04:00:00.000Z`,
  quantity: 1,
  unitMinor: minor,
  amountMinor: minor,
});

it("drops a refunded line together with its refund, and keeps the sum", () => {
  const old = [night("2026-11-18", 100), night("2026-11-19", 100)];
  const next = [night("2026-11-18", 120), night("2026-11-19", 120)];
  expect(netLines([...old, ...creditOf(old), ...next])).toEqual(next);
  const partly = [...old, ...creditOf(old.slice(1)), ...next.slice(1)];
  expect(netLines(partly)).toEqual([old[0], next[1]]);
  expect(totalOf(netLines(partly))).toBe(totalOf(partly));
});

it("keeps a credit for something else", () => {
  const lines = [night("2026-11-18", 100), { ...night("2026-11-18", -50), startsAt: "2026-11-18T12:00:00.000Z" }];
  expect(netLines(lines)).toEqual(lines);
});

it("does not grow with the number of changes", () => {
  let lines = [night("2026-11-18", 100)];
  for (let n = 0; n < 20; n += 1) lines = [...lines, ...creditOf(netLines(lines)), night("2026-11-18", 100 + n)];
  expect(netLines(lines)).toHaveLength(1);
});

it("looks at each line a fixed number of times, so ten years of nights stay fast", () => {
  let reads = 0;
  const counted = (line: QuoteLine): QuoteLine => ({
    ...line,
    get startsAt() {
      reads += 1;
      return line.startsAt;
    },
  });
  const nights = Array.from({ length: 300 }, (_, n) => counted(night("2026-11-18", 100 + n)));
  const again = Array.from({ length: 300 }, (_, n) => counted(night("2026-11-18", -100 - n)));
  expect(netLines([...nights, ...again])).toEqual([]);
  expect(reads).toBeLessThanOrEqual(3 * 600);
});
