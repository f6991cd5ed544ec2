// Measures the cost of each operation as rooms, unlock records and hotels grow: the built server with a session, one
// call after the other. `npm run bench -- --growth`; `--write` regenerates the tables and plots of docs/operators/performance.md,
// and `--again` does so from the previous run without measuring.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Growth, grow } from "./growth/grow.ts";
import { failuresOf, reportText, write } from "./growth/report.ts";
import { readOptions } from "./growth/sizes.ts";
import { withWorld } from "./growth/world.ts";
import { machine } from "./measuring/load-database.ts";

const options = readOptions(process.argv.slice(2));
const resultFile = new URL("../.tmp/growth.json", import.meta.url);

if (!options.again) {
  await mkdir(fileURLToPath(new URL(".", resultFile)), { recursive: true });
  const keep = (growth: Growth): Promise<void> =>
    writeFile(resultFile, `${JSON.stringify({ machine: machine(), ...growth }, null, 2)}\n`);
  await withWorld((world) => grow(world, options, keep));
}
const growth = JSON.parse(await readFile(resultFile, "utf8")) as Growth & { machine: string };
console.log(reportText(growth));
if (options.write || options.again) await write(growth, growth.machine);
for (const failure of failuresOf(growth.measured)) {
  console.log(`FAIL: ${failure}`);
  process.exitCode = 1;
}
