// Measures the time from a fresh clone to the room board: `npm start` in a clone of the committed state, then a browser
// that opens the printed address and logs in as the printed demo owner, until rooms are painted. It runs once with an
// empty package store, once with a filled one, and then a second start of the same clone. `--warm` skips the first run.
// A tiny run starts this folder instead of a clone, with an empty database, so that it installs and builds nothing; if
// there is no browser, it ends at the printed address.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CHROMIUM } from "../e2e/support/browser.ts";
import { arrive } from "./arrival/arrive.ts";
import { openBench } from "./measuring/bench.ts";
import type { Row } from "./measuring/result.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const bench = openBench("arrival", { full: {}, tiny: {}, switches: ["warm"] });

const folders: string[] = [];
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "innkey-arrival-"));
  folders.push(folder);
  return folder;
}

async function makeClone(): Promise<{ folder: string; clone: string }> {
  const folder = await makeFolder();
  const clone = join(folder, "innkey");
  await run("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, clone]);
  return { folder, clone };
}

const rows: Row[] = [];
async function measureStart(start: string, clone: string, env: Record<string, string> = {}): Promise<void> {
  const arrival = await arrive(clone, env, { withBrowser: !bench.isTiny || existsSync(CHROMIUM) });
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
  rows.push({
    ...{ table: "starts", start },
    installSeconds: seconds(arrival.installMs),
    buildSeconds: seconds(arrival.buildMs),
    startSeconds: seconds(arrival.startMs),
    loginSeconds: seconds(arrival.loginMs),
    boardSeconds: seconds(arrival.boardMs),
    totalSeconds: seconds(arrival.totalMs),
  });
  console.log(`${start}: ${(arrival.totalMs / 1000).toFixed(1)} s`);
}

async function measureClones(): Promise<void> {
  if (!bench.switches.warm) {
    const { folder, clone } = await makeClone();
    await measureStart("first start, no package fetched before", clone, {
      pnpm_config_store_dir: join(folder, "store"),
      pnpm_config_cache_dir: join(folder, "cache"),
      npm_config_cache: join(folder, "npm"),
    });
  }
  const { clone } = await makeClone();
  await measureStart("first start, packages in the store", clone);
  await measureStart("second start", clone);
}

try {
  if (bench.isTiny) await measureStart("first start of a built folder", root, { DATA_DIR: await makeFolder() });
  else await measureClones();
} finally {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
await bench.finish(rows);
