import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = join(root, "apps/server/dist/main.js");
const START_MS = 60_000;

/** Options and settings with which scripts/start.sh and the image start the server; its memory depends on them. */
const DELIVERED_OPTIONS = ["--max-semi-space-size=4"];
const DELIVERED_SETTINGS = { NODE_ENV: "production", MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

/** V8 options that print a line for each garbage collection. */
export const WATCHED_HEAP = ["--trace-gc"];
/** "Mark-Compact 412.2 (447.5) -> 104.1 (383.7) MB": used and reserved heap, before and after */
const COLLECTED = /Mark-Compact .*-> ([\d.]+) \(/;

export interface Server {
  url: string;
  pid: number;
  /** resident memory in MB */
  memory(): Promise<number>;
  /** live heap in MB after each full collection; only with the V8 options of `WATCHED_HEAP` */
  readonly live: readonly { atMs: number; megabytes: number }[];
  /** false once the process has ended for any reason */
  readonly alive: boolean;
  /** log lines of level error or worse; the whole log is in .tmp */
  readonly errors: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts the built server in a separate process and waits until it prints its address. Its output goes to
 * .tmp/<name>.log.
 */
export async function startServer(
  name: string,
  env: Record<string, string>,
  { ready = /ready at (http:\S+)/, nodeOptions = [] }: { ready?: RegExp; nodeOptions?: readonly string[] } = {},
): Promise<Server> {
  await mkdir(join(root, ".tmp"), { recursive: true });
  const log = createWriteStream(join(root, ".tmp", `${name}.log`));
  const options = [...DELIVERED_OPTIONS, ...nodeOptions, ...(process.env.SERVER_NODE_OPTIONS?.split(" ") ?? [])];
  const child = spawn(process.execPath, [...options, MAIN, "--empty"], {
    cwd: root,
    env: { ...process.env, ...DELIVERED_SETTINGS, PORT: "0", MQTT_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let alive = true;
  const errors: string[] = [];
  const live: { atMs: number; megabytes: number }[] = [];
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => {
      alive = false;
      resolve(code);
    });
  });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not start`)), START_MS);
    void ended.then((code) => reject(new Error(`${name} ended with ${code}; see .tmp/${name}.log`)));
    const take = (line: string): void => {
      log.write(`${line}\n`);
      const address = ready.exec(line);
      if (address) {
        clearTimeout(timer);
        resolve((address[1] ?? "").replace("localhost", "127.0.0.1"));
      }
      const match = COLLECTED.exec(line);
      if (match) live.push({ atMs: performance.now(), megabytes: Number(match[1]) });
      if (/"level":[56]0/.test(line) || /unhandled|uncaught/i.test(line)) errors.push(line);
    };
    createInterface({ input: child.stdout }).on("line", take);
    createInterface({ input: child.stderr }).on("line", take);
  });
  return {
    url,
    pid: child.pid ?? 0,
    get alive() {
      return alive;
    },
    errors,
    live,
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
      log.end();
    },
  };
}
