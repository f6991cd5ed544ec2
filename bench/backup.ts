// Measures a backup and a restore of a hotel with a million door records, each in a separate process as operators run
// them. Prints the table of docs/operators/backup.md.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { machine, withLoadHotel } from "./measuring/load-database.ts";
import { fillRecords } from "./unlocks/fill.ts";

const RECORDS = 1_000_000;
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
  async (database, hotelId) => {
    console.log(`writing ${RECORDS.toLocaleString("en")} records …`);
    await fillRecords(database, hotelId, RECORDS);
  },
  async ({ url, dataDir }) => {
    const [from, to] = [join(dataDir, "from"), join(dataDir, "to")];
    await mkdir(from);
    await mkdir(to);
    const settings = { DATABASE_URL: url, DATA_DIR: from };
    const backup = await runMeasured("backup", [], settings);
    const [name = ""] = await readdir(join(from, "backups"));
    const file = join(from, "backups", name);
    const verified = await runMeasured("verify-backup", [file], settings);
    const target = new URL(url);
    target.pathname = "/target";
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("CREATE DATABASE target");
    const { rows } = await client.query<{ bytes: string }>("SELECT pg_database_size(current_database()) AS bytes");
    await client.end();
    const key = ["--key", join(from, "backup-key")];
    const restored = await runMeasured("restore", [file, ...key], { DATABASE_URL: target.href, DATA_DIR: to });
    const database = Number(rows[0]?.bytes) / MEGABYTE;
    const size = (await stat(file)).size / MEGABYTE;
    const row = (title: string, { seconds, peakMegabytes }: CommandCost): string =>
      `| ${title} | ${seconds.toFixed(1)} | ${(database / seconds).toFixed(0)} | ${peakMegabytes.toFixed(0)} |`;
    console.log(`
${machine()}: ${RECORDS.toLocaleString("en")} door records, ${database.toFixed(0)} MB in the database with its indexes, ${size.toFixed(0)} MB in the backup.

| | seconds | MB of the database a second | peak RSS, MB |
|---|---|---|---|
${row("`backup`", backup)}
${row("`verify-backup`", verified)}
${row("`restore`", restored)}`);
  },
);
