import { describe, expect, it } from "vitest";
import type { BenchResult } from "../measuring/result.ts";
import { fillPage, placesOf } from "./blocks.ts";
import { makeFiles, readFile, readPages, readResults } from "./files.ts";
import { fillReadme } from "./readme.ts";
import { PAGES, resultText } from "./tables.ts";

const results = readResults();
const places = [...readPages().values()].flatMap(placesOf);

const RESULT: BenchResult = {
  bench: "search",
  date: "2026-11-24T09:00:00.000Z",
  machine: { cores: 2, processor: "AMD EPYC", memoryGb: 24, loadAtStart: 0.3 },
  node: "v20.20.2",
  commit: "0123abcd",
  isTiny: false,
  parameters: { rooms: 500, guests: 100_000, calls: 200 },
  rows: [
    { table: "lengths", query: "1 character", p50Ms: 16.94, p99Ms: 34.06 },
    { table: "lengths", query: "10 characters", p50Ms: 1717.5, p99Ms: 3799.25 },
  ],
};
const SHOWN = `Measured 2026-11-24 at 0123abcd: 2 cores (AMD EPYC), 24 GB, Node v20.20.2, load 0.3 at the start; 200 calls for each length.

| search among 100,000 guests |  p50 ms |  p99 ms |
| --------------------------- | ------: | ------: |
| 1 character                 |    16.9 |    34.1 |
| 10 characters               | 1,717.5 | 3,799.3 |`;

describe("the documentation", () => {
  it.each([...makeFiles(results)])("%s agrees with the results in bench/results", (path, contents) => {
    expect(readFile(path), "npm run bench -- --page writes it").toBe(contents);
  });

  it("has a place for every result, and none for a block that doesn't exist", () => {
    expect([...results.keys()].filter((name) => !places.some(({ bench }) => bench === name))).toEqual([]);
    expect(places.filter(({ bench, block }) => !PAGES[bench]?.blocks[block])).toEqual([]);
  });

  it("shows only full runs", () => {
    expect([...results.values()].filter(({ isTiny }) => isTiny)).toEqual([]);
  });
});

describe("a page", () => {
  const page = (text: string): string =>
    `# Title\n\n<!-- bench search lengths -->\n\n${text}\n\n<!-- /bench -->\n\nMore.\n\n<!-- bench board memory -->\n\nold\n\n<!-- /bench -->\n`;

  it("gets the blocks of the results and keeps everything else", () => {
    const filled = fillPage(page("old"), new Map([["search", RESULT]]));
    expect(filled).toBe(page(SHOWN));
    expect(fillPage(filled, new Map([["search", RESULT]]))).toBe(filled);
  });

  it("refuses a place for a block that the bench doesn't have", () => {
    const wrong = "<!-- bench search nothing -->\n\n<!-- /bench -->";
    expect(() => fillPage(wrong, new Map([["search", RESULT]]))).toThrow('The bench search has no block "nothing"');
  });

  it("leaves out columns without values", () => {
    const row = { table: "reads", rooms: 10, read: "home", readsPerSecond: 70, p50Ms: 1, p99Ms: 2, bytes: 3 };
    const alone = { ...RESULT, bench: "reads", rows: [{ ...row, otherReadsPerSecond: null, ratio: null }] };
    expect(resultText(alone)).toMatch(/\| bytes \|$/m);
    const compared = { ...RESULT, bench: "reads", rows: [{ ...row, otherReadsPerSecond: 35, ratio: 2 }] };
    expect(resultText(compared)).toMatch(/\| bytes \| other build, reads\/s \| ratio \|$/m);
  });

  it("shows nothing for tables without rows, and sentences below those that have one", () => {
    const rows = [10, 1_000].map((rooms) => ({ table: "changes", rooms, p50Ms: 10, bytes: 500, wholeBytes: 4_000 }));
    const shown = resultText({ ...RESULT, bench: "board-differences", rows });
    expect(shown).toMatch(/From 10 to 1,000 rooms the time grows with n\^0\.00\.$/);
    expect(shown).not.toContain("desks that follow");
  });
});

it("README.md names the first and the second start", () => {
  const rows = [29.7, 17.8, 3.3].map((totalSeconds) => ({ table: "starts", totalSeconds }));
  const readme = fillReadme("From a fresh clone, long ago.\n", { ...RESULT, bench: "arrival", rows });
  expect(readme).toContain("took 30 s, 18 s with the packages fetched before, and 3 s on later starts (");
});
