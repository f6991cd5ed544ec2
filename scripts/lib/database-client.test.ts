import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sortParameterGraph } from "./database-client.mjs";

/** A graph with one input node and one output node, whose edges have keys above and below 128. */
const input = (key: number[], mask: number): number[] => [...key, mask, 1, 0, 5, 7];
const output = (key: number[]): number[] => [...key, 0, 3];
const [low, high] = [[9], [0x8c, 0x08]];
const HEADER = [1, 1, 1];
const ROOT = [2, 0, 1];
const graphOf = (...bytes: number[][]): string => Buffer.from(bytes.flat()).toString("base64url");

it("puts the edge with the highest key of each node first and leaves the rest", () => {
  const graph = graphOf(HEADER, [2], input(low, 4), input(high, 8), [2], output(low), output(high), ROOT);
  const sorted = graphOf(HEADER, [2], input(high, 8), input(low, 4), [2], output(high), output(low), ROOT);
  expect(sortParameterGraph(graph)).toBe(sorted);
});

it.each([
  ["ends early", graphOf(HEADER, [2], input(low, 4))],
  ["goes on after its end", graphOf(HEADER, [0], [0], ROOT, [1])],
])("refuses a graph that %s", (_, graph) => {
  expect(() => sortParameterGraph(graph)).toThrow("parameter graph");
});

it("can read the graph of the generated client", () => {
  const generated = join(import.meta.dirname, "../../apps/server/src/adapters/postgres/generated/internal/class.ts");
  const graph = /graph: "([^"]+)"/.exec(readFileSync(generated, "utf8"))?.[1] ?? "";
  const sorted = sortParameterGraph(graph);
  expect(sorted).toHaveLength(graph.length);
  expect(sorted).not.toBe(graph);
  expect(sortParameterGraph(sorted)).toBe(sorted);
});
