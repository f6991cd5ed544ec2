// Measures the memory of everything that `npm start` starts, at rest: a first start in an empty data folder, and a second
// one, each `--rest-seconds=60` after the address was printed. `--checkout=<folder>` starts another checkout instead of
// this one. Linux only.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { openBench } from "./measuring/bench.ts";
import { ROOT } from "./measuring/folders.ts";
import { type ProcessMemory, readProcesses, sumOf } from "./measuring/memory.ts";
import type { Row } from "./measuring/result.ts";

const bench = openBench("memory", { full: { restSeconds: 60 }, tiny: { restSeconds: 0 }, texts: ["checkout"] });
const MAX_START_MS = 600_000;

/** Resolves when the console prints its address. */
function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) throw new Error("no output to read");
    const timer = setTimeout(() => reject(new Error("npm start was not ready in time")), MAX_START_MS);
    child.once("exit", (code) => reject(new Error(`npm start ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!/ready at http/.test(line)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Stops it as Ctrl-C does, which reaches all processes of a terminal. */
function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return Promise.resolve();
  child.removeAllListeners("exit");
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  process.kill(-child.pid, "SIGINT");
  return ended;
}

function rowOf(start: string, processes: readonly ProcessMemory[]): Row {
  const server = processes.find(({ command }) => /^\S*node\b.* apps\/server\/dist\/main\.js/.test(command));
  if (!server) throw new Error("There is no server among the processes");
  const database = processes.filter(({ command }) => command.includes("postgres"));
  const others = processes.filter((one) => one !== server && !database.includes(one));
  return {
    ...{ table: "starts", start },
    serverRssMb: server.rssMb,
    serverPssMb: server.pssMb,
    databaseProcesses: database.length,
    databasePssMb: sumOf(database),
    otherProcesses: others.length,
    otherPssMb: sumOf(others),
    allPssMb: sumOf(processes),
  };
}

async function measureStart(start: string, dataDir: string): Promise<Row> {
  const child = spawn("npm", ["start"], {
    ...{ cwd: bench.texts.checkout ?? ROOT, detached: true, stdio: ["ignore", "pipe", "inherit"] as const },
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", MQTT_PORT: "0" },
  });
  try {
    await waitUntilReady(child);
    await delay(bench.sizes.restSeconds * 1000);
    return rowOf(start, await readProcesses([child.pid ?? 0]));
  } finally {
    await stop(child);
  }
}

const folder = await mkdtemp(join(tmpdir(), "innkey-memory-"));
try {
  const dataDir = join(folder, "data");
  const first = await measureStart("first start, with the demo hotel", dataDir);
  const second = await measureStart("second start", dataDir);
  await bench.finish([first, second], { checkout: bench.texts.checkout ?? null });
} finally {
  await rm(folder, { recursive: true, force: true });
}
