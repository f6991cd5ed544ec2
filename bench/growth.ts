// What each operation costs as a house, its past and the number of houses grow: rooms, unlock records, hotels. The built
// server with a session, one call after the other. `npm run bench -- --growth`; with `--write` the tables and plots of
// docs/performance.md are made anew; `--again` makes them from the run before without measuring.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Growth, grow } from "./growth/grow.ts";
import { failuresOf, printed, write } from "./growth/report.ts";
import { readOptions } from "./growth/sizes.ts";
import { withWorld } from "./growth/world.ts";
import { machine } from "./measuring/load-database.ts";

const wanted = readOptions(process.argv.slice(2));
const kept = new URL("../.tmp/growth.json", import.meta.url);

if (!wanted.again) {
  await mkdir(fileURLToPath(new URL(".", kept)), { recursive: true });
  const keep = (growth: Growth): Promise<void> =>
    writeFile(kept, `${JSON.stringify({ machine: machine(), ...growth }, null, 2)}\n`);
  await withWorld((world) => grow(world, wanted, keep));
}
const growth = JSON.parse(await readFile(kept, "utf8")) as Growth & { machine: string };
console.log(printed(growth));
if (wanted.write || wanted.again) await write(growth, growth.machine);
for (const failure of failuresOf(growth.measured)) {
  console.log(`FAIL: ${failure}`);
  process.exitCode = 1;
}
