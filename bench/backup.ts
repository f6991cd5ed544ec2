// Measures a backup and a restore of a hotel with many door records, each in a separate process as operators run them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBench } from "./measuring/bench.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import type { Row } from "./measuring/result.ts";
import { withClient } from "./measuring/world.ts";
import { fillRecords } from "./unlocks/fill.ts";

const bench = openBench("backup", { full: { rooms: 500, records: 1_000_000 }, tiny: { rooms: 5, records: 500 } });
const { rooms, records } = bench.sizes;
const MEGABYTE = 1e6;

const cli = (name: string): string => fileURLToPath(new URL(`../apps/server/dist/cli/${name}.js`, import.meta.url));

interface CommandCost {
  seconds: number;
  peakMegabytes: number;
}

/** Runs one command. Its peak memory is the kernel's figure for the whole process at exit. */
async function runMeasured(name: string, args: string[], env: Record<string, string>): Promise<CommandCost> {
  const startedAt = performance.now();
  const peakScript = `process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS + "\\n"))`;
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(peakScript)}`, cli(name), ...args],
    {
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "inherit", "pipe"],
    },
  );
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, "close");
  assert.equal(code, 0, output);
  const peak = Number(/peak (\d+)/.exec(output)?.[1]) / 1024;
  return { seconds: (performance.now() - startedAt) / 1000, peakMegabytes: peak };
}

await withLoadHotel(
  rooms,
  async (database, hotelId) => {
    console.log(`writing ${records.toLocaleString("en")} records …`);
    await fillRecords(database, hotelId, records);
  },
  async ({ url, world }) => {
    const [from, to] = [join(world.dataDir, "from"), join(world.dataDir, "to")];
    await mkdir(from);
    await mkdir(to);
    const settings = { DATABASE_URL: url, DATA_DIR: from };
    const backup = await runMeasured("backup", [], settings);
    const [name = ""] = await readdir(join(from, "backups"));
    const file = join(from, "backups", name);
    const verified = await runMeasured("verify-backup", [file], settings);
    const databaseMb = await withClient(url, async (client) => {
      const { rows } = await client.query<{ bytes: string }>("SELECT pg_database_size(current_database()) AS bytes");
      return Number(rows[0]?.bytes) / MEGABYTE;
    });
    const key = ["--key", join(from, "backup-key")];
    const target = await world.database("target", { bare: true });
    const restored = await runMeasured("restore", [file, ...key], { DATABASE_URL: target, DATA_DIR: to });
    const row = (command: string, { seconds, peakMegabytes }: CommandCost): Row => ({
      ...{ table: "commands", command: `\`${command}\``, seconds },
      ...{ databaseMbPerSecond: databaseMb / seconds, peakMb: peakMegabytes },
    });
    await bench.finish([row("backup", backup), row("verify-backup", verified), row("restore", restored)], {
      ...{ databaseMb, backupMb: (await stat(file)).size / MEGABYTE },
    });
  },
);
