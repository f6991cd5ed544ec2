import { expect, it } from "vitest";
import { type BenchResult, parseResult } from "./result.ts";

const RESULT: BenchResult = {
  bench: "search",
  date: "2026-11-24T09:00:00.000Z",
  machine: { cores: 2, processor: "AMD EPYC", memoryGb: 24, loadAtStart: 0.3 },
  node: "v20.20.2",
  commit: null,
  isTiny: false,
  parameters: { guests: 100_000 },
  rows: [{ table: "lengths", query: "1 character", p50Ms: 16.9, p99Ms: null }],
};

it("a result is read as it was written", () => {
  expect(parseResult(JSON.stringify(RESULT))).toEqual(RESULT);
});

it.each([
  ["no rows", { rows: [] }, "There is no row"],
  ["a row without its table", { rows: [{ p50Ms: 1 }] }, "Row 1 doesn't name its table"],
  ["a row without values", { rows: [{ table: "lengths" }] }, "Row 1 (lengths) has no values"],
  ["a list as a value", { rows: [{ table: "lengths", p50Ms: [1] }] }, "Row 1 (lengths) has 1 as p50Ms"],
  ["no machine", { machine: null }, "machine is missing"],
  ["no instant", { date: "yesterday" }, "The date yesterday is no instant"],
  ["no name", { bench: undefined }, "bench is undefined instead of a string"],
])("a result with %s is refused", (_, change, message) => {
  expect(() => parseResult(JSON.stringify({ ...RESULT, ...change }))).toThrow(message);
});

it("text that is no JSON is refused", () => {
  expect(() => parseResult("")).toThrow();
});
