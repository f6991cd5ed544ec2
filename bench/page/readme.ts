import type { BenchResult, Row } from "../measuring/result.ts";

const LINE = /^From a fresh clone, .*$/m;

/** Returns README.md with the times of the last measured arrival. */
export function fillReadme(readme: string, { rows }: BenchResult): string {
  if (!LINE.test(readme)) throw new Error("README.md has no line about a fresh clone");
  const [second, stored, fetched] = rows.map(secondsOf).toReversed();
  const first = fetched === undefined ? `${stored} s` : `${fetched} s, ${stored} s with the packages fetched before`;
  const line = `From a fresh clone, \`npm start\` to the first paint of the board took ${first}, and ${second} s on later starts`;
  return readme.replace(LINE, `${line} ([measured](docs/operators/performance.md#arrival)).`);
}

const secondsOf = ({ totalSeconds }: Row): number => Math.round(Number(totalSeconds));
