import { readFile, writeFile } from "node:fs/promises";
import { rewrite } from "../measuring/pages.ts";

const README = new URL("../../README.md", import.meta.url);
const LINE = /^From a fresh clone, .*$/m;

/**
 * Writes the table into docs/operators/performance.md and the summary into README.md. `totals` holds the first starts, then the
 * second start as last value.
 */
export async function writeArrival(text: string, totals: readonly number[]): Promise<void> {
  await rewrite("performance.md", "arrival", text);
  const seconds = totals.map((ms) => Math.round(ms / 1000));
  const [second, stored, fetched] = seconds.toReversed();
  const first = fetched === undefined ? `${stored} s` : `${fetched} s, ${stored} s with the packages fetched before`;
  const readme = await readFile(README, "utf8");
  if (!LINE.test(readme)) throw new Error("README.md has no line about a fresh clone");
  const line = `From a fresh clone, \`npm start\` to the first paint of the board took ${first}, and ${second} s on later starts`;
  await writeFile(README, readme.replace(LINE, `${line} ([measured](docs/operators/performance.md#arrival)).`));
}
