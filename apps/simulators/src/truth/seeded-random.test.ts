import { expect, it } from "vitest";
import { SeededRandom } from "./seeded-random.ts";

it("gives the same values for the same seed, and others for another", () => {
  const draw = (seed: number): string => {
    const random = new SeededRandom(seed);
    return [
      random.int(0, 99),
      random.digits(6),
      random.hex(4),
      random.weighted({ a: 1, b: 1 }),
      random.chance(0.5),
    ].join();
  };
  expect(draw(7)).toBe(draw(7));
  expect(draw(8)).not.toBe(draw(7));
});

it("keeps to its bounds and weights", () => {
  const random = new SeededRandom(1);
  const drawn = Array.from({ length: 2_000 }, () => random.int(3, 5));
  expect([...new Set(drawn)].sort()).toEqual([3, 4, 5]);
  const often = Array.from({ length: 2_000 }, () => random.weighted({ often: 9, never: 0, seldom: 1 }));
  expect(new Set(often)).toEqual(new Set(["often", "seldom"]));
  expect(often.filter((name) => name === "seldom").length).toBeGreaterThan(100);
  expect(often.filter((name) => name === "seldom").length).toBeLessThan(300);
});
