// Measures the cost of each operation as rooms, unlock records and hotels grow: the built server with a session, one
// call after the other. Fails if a cost grows faster than it may. An interrupted run has written the stages so far to
// .tmp/growth.json. `--rooms= --hotels= --records=100000` leaves two axes out and shortens the third.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Growth, grow } from "./growth/grow.ts";
import { failuresOf, rowsOfGrowth } from "./growth/report.ts";
import { FULL, TINY } from "./growth/sizes.ts";
import { openBench } from "./measuring/bench.ts";
import { FILLING, withWorld } from "./measuring/world.ts";

const bench = openBench("growth", { full: FULL, tiny: TINY });
const stagesFile = fileURLToPath(new URL("../.tmp/growth.json", import.meta.url));
const keepStages = async (growth: Growth): Promise<void> => {
  await mkdir(fileURLToPath(new URL("../.tmp", import.meta.url)), { recursive: true });
  await writeFile(stagesFile, `${JSON.stringify(rowsOfGrowth(growth), null, 2)}\n`);
};

const growth = await withWorld((world) => grow(world, bench.sizes, keepStages), { settings: FILLING });
await bench.finish(rowsOfGrowth(growth));
if (!bench.isTiny) {
  for (const failure of failuresOf(growth.measured)) {
    console.log(`FAIL: ${failure}`);
    process.exitCode = 1;
  }
}
