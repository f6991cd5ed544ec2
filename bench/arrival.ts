// Measures the time from a fresh clone to the room board: `npm start` in a clone of the committed state, then a browser
// that opens the printed address and logs in as the printed demo owner, until rooms are painted. It runs once with an
// empty package store, once with a filled one, and then a second start of the same clone. `--warm` skips the first run;
// `--write` puts the table into docs/operators/performance.md and the summary into README.md.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Arrival, arrive } from "./arrival/arrive.ts";
import { writeArrival } from "./arrival/pages.ts";
import { machine } from "./measuring/load-database.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);

const clones: string[] = [];
async function clone(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "innkey-arrival-"));
  clones.push(folder);
  await run("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, join(folder, "innkey")]);
  return folder;
}

const arrivals: [string, Arrival][] = [];
async function measureStart(title: string, folder: string, env: Record<string, string> = {}): Promise<void> {
  const arrival = await arrive(join(folder, "innkey"), env);
  arrivals.push([title, arrival]);
  console.log(`${title}: ${(arrival.totalMs / 1000).toFixed(1)} s`);
}

try {
  if (!args.includes("--warm")) {
    const folder = await clone();
    const store = join(folder, "store");
    const empty = {
      pnpm_config_store_dir: store,
      pnpm_config_cache_dir: join(folder, "cache"),
      npm_config_cache: join(folder, "npm"),
    };
    await measureStart("first start, no package fetched before", folder, empty);
  }
  const folder = await clone();
  await measureStart("first start, packages in the store", folder);
  await measureStart("second start", folder);
} finally {
  for (const folder of clones) await rm(folder, { recursive: true, force: true });
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const table = [
  "| seconds | packages | build | database, demo, listening | login screen | login to board | together |",
  "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  ...arrivals.map(([title, arrival]) =>
    [
      `| ${title}`,
      ...[arrival.installMs, arrival.buildMs, arrival.startMs, arrival.loginMs, arrival.boardMs, arrival.totalMs].map(
        seconds,
      ),
    ]
      .join(" | ")
      .concat(" |"),
  ),
].join("\n");
console.log(`\n${machine()}\n\n${table}`);
if (args.includes("--write"))
  await writeArrival(
    `${machine()}.\n\n${table}`,
    arrivals.map(([, { totalMs }]) => totalMs),
  );
