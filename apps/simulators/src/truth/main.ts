// npm run truth [-- --seed 7 --minutes 20 --doors 20 --without shortenSoon,kill]: simulates a hotel's life with many
// faults. Before each try at a door we read the console's claim about the key, and compare it with what the door does.
// Exits with 1 if a claim was false; each false claim is written to a file with its history.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openHotel } from "./hotel.ts";
import { HotelServer } from "./hotel-server.ts";
import { Life, type LifeOptions } from "./life.ts";
import { SeededRandom } from "./seeded-random.ts";
import { formatCounts } from "./tally.ts";

const REST_MS = 180_000;
const FOLDER = ".tmp/truth";
/** A higher share of "unknown" claims would hide false ones. */
const MAX_UNKNOWN_PERCENT = 2;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    minutes: { type: "string", default: "20" },
    doors: { type: "string", default: "20" },
    without: { type: "string", default: "" },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes);
print(`seed ${seed}, ${minutes} minutes, ${values.doors} doors`);

const random = new SeededRandom(seed);
const server = await HotelServer.start();
let code = 1;
try {
  const hotel = await openHotel(server, Number(values.doors), random, { hasZones: true });
  const end = Date.now() + minutes * 60_000;
  const excluded = values.without.split(",").filter(Boolean) as NonNullable<LifeOptions["excluded"]>;
  const life = new Life(server, hotel, { random, hasNextStep: () => Date.now() < end, excluded, restMs: REST_MS });
  try {
    await life.run();
    const { tally } = life;
    const unknown = { life: tally.unknownPercent("life"), rest: tally.unknownPercent("rest") };
    const { happened, stored, missing, duplicates } = tally.events;
    print(`
keys      ${formatCounts(tally.keys)}
acts      ${formatCounts(tally.acts)}
          could not be done: ${formatCounts(tally.refusedActs)}
          ${tally.unclear} without an answer
troubles  ${formatCounts(tally.troubles)}

${tally.table()}

events    happened ${happened}, stored ${stored}, missing ${missing}, duplicates ${duplicates}
openings  from the desk ${tally.remote.requested} requested, ${tally.remote.opened} executed
refusals  within a paid stay: ${formatCounts(tally.paidRefusals) || "none"}; ${tally.rewritten} cards written again at rest
rest      after ${tally.restSeconds} s
unknown   ${unknown.life.toFixed(1)} % in life, ${unknown.rest.toFixed(1)} % at rest
lies      ${tally.lies.length}`);
    if (tally.lies.length > 0) {
      await mkdir(FOLDER, { recursive: true });
      const path = join(FOLDER, `lies-${seed}.json`);
      await writeFile(path, `${JSON.stringify(tally.lies, null, 2)}\n`);
      for (const { what, when, door, key, claim, answer } of tally.lies.slice(0, 40))
        print(`  ${when} ${door} ${key}: ${what}; ${claim} ${answer}`);
      print(`each with its history: ${path}`);
    }
    code = tally.lies.length > 0 || unknown.life > MAX_UNKNOWN_PERCENT || unknown.rest > 0 ? 1 : 0;
  } finally {
    await hotel.stop();
  }
} finally {
  await server.remove();
}
process.exit(code);
