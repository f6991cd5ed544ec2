import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A program that the server talks to, which can be stopped and restarted on the same port. */
export interface Neighbour {
  url: string;
  pid(): number;
  start(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** suspends the process, so that connections stay open but nothing answers */
  freeze(): void;
  thaw(): void;
  /** permanently */
  stop(): Promise<void>;
}

const START_MS = 15_000;

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** Waits until a port accepts connections. */
export async function waitForPort(port: number): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await delay(50)) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port });
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => socket.destroy());
    }).catch(() => false);
    if (open) return;
  }
  throw new Error(`nobody listens on port ${port}`);
}

/** Returns the direct child processes, as listed by the kernel. */
function childrenOf(pid: number): number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    const children = listed === "" ? [] : listed.split(" ").map(Number);
    return [...children, ...children.flatMap(childrenOf)];
  } catch {
    return []; // The process ended meanwhile.
  }
}

export function neighbour(url: string, port: number, launch: () => ChildProcess): Neighbour {
  let child: ChildProcess | undefined;
  const exited = (ended: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      if (ended.exitCode !== null || ended.signalCode !== null) resolve();
      else ended.once("exit", () => resolve());
    });
  // Also signals the child processes, as when a machine stops; PostgreSQL's children have separate process groups.
  const signalAll = (signal: NodeJS.Signals): void => {
    if (child?.pid === undefined) return;
    for (const pid of [child.pid, ...childrenOf(child.pid)]) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process ended meanwhile.
      }
    }
  };
  const kill = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ending = exited(child);
    signalAll(signal);
    await ending;
    child = undefined;
  };
  return {
    url,
    pid: () => child?.pid ?? 0,
    async start() {
      child = launch();
      await waitForPort(port);
    },
    kill,
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    async stop() {
      if (child?.exitCode === null && child.signalCode === null) signalAll("SIGCONT");
      await kill("SIGINT");
    },
  };
}

/** Starts the machine's redis-server with persistence on disk, so that its data survives a restart. */
export async function startRedis(dataDir: string): Promise<Neighbour> {
  const port = await freePort();
  const dir = join(dataDir, "redis");
  await mkdir(dir, { recursive: true });
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--appendonly", "yes", "--save", ""];
  const launch = (): ChildProcess =>
    spawn("redis-server", [...args, "--appendfsync", "always"], { stdio: "ignore", detached: true });
  const redis = neighbour(`redis://127.0.0.1:${port}`, port, launch);
  await redis.start();
  return redis;
}
