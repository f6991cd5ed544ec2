import { expect, it } from "vitest";
import { readFlags } from "./flags.ts";

const PLAN = {
  full: { rooms: [10, 500], warmSeconds: 2 },
  tiny: { rooms: [10], warmSeconds: 0 },
  texts: ["against"],
  switches: ["redis"],
};

it("a run has its full sizes by default, and its smallest with --tiny", () => {
  expect(readFlags([], PLAN)).toMatchObject({ isTiny: false, isFull: true, sizes: PLAN.full });
  expect(readFlags(["--tiny"], PLAN)).toMatchObject({ isTiny: true, isFull: false, sizes: PLAN.tiny });
});

it("every size is a flag, in addition to either", () => {
  expect(readFlags(["--warm-seconds=0.5", "--rooms=1,2"], PLAN).sizes).toEqual({ rooms: [1, 2], warmSeconds: 0.5 });
  expect(readFlags(["--tiny", "--rooms="], PLAN).sizes).toEqual({ rooms: [], warmSeconds: 0 });
});

it("a run with changed sizes or other flags is not a full one; the file for the result changes nothing", () => {
  expect(readFlags(["--rooms=10"], PLAN).isFull).toBe(false);
  expect(readFlags(["--redis"], PLAN)).toMatchObject({ isFull: false, switches: { redis: true } });
  expect(readFlags(["--json=a.json"], PLAN)).toMatchObject({ isFull: true, json: "a.json" });
});

it.each([
  ["--warm-seconds=soon", "--warm-seconds=soon is no number"],
  ["--warm-seconds=1,2", "--warm-seconds takes one number"],
  ["--room=1", "Unknown option '--room'"],
  ["home", "Unexpected argument 'home'"],
])("refuses %s", (argument, message) => {
  expect(() => readFlags([argument], PLAN)).toThrow(message);
});

it("names are arguments without dashes, where a bench takes them", () => {
  expect(readFlags(["home", "--tiny"], { ...PLAN, allowNames: true }).names).toEqual(["home"]);
});
