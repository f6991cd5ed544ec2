import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LockAccess } from "./fill-locks.ts";

export interface LocksPlan {
  url: string;
  hotelId: number;
  locks: LockAccess[];
  /** door openings of all locks together */
  perHour: number;
  drainMs: number;
  /** time a lock waits for an acknowledgement before it sends its events again; the lock's default if undefined */
  resendMs?: number;
}

export interface LocksReport {
  /** number of events by lock */
  sent: Record<string, number>;
  /** number of events that the console has not acknowledged */
  unacknowledged: number;
}

export interface LocksProcess {
  /** waits up to three minutes, and returns how many are connected */
  awake(): Promise<number>;
  go(): void;
  /** stops the openings and waits until the console has all events, at most the plan's drainMs */
  end(): Promise<LocksReport>;
  stop(): Promise<void>;
}

/** Starts simulated locks in a separate process, so that they don't block the measuring process. */
export function startLocks(plan: LocksPlan): LocksProcess {
  const script = fileURLToPath(new URL("locks.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (command: string): void => void child.stdin.write(`${command}\n`);
  send(JSON.stringify(plan));
  const nextLine = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the locks' process ended");
    return JSON.parse(value) as T;
  };
  return {
    async awake() {
      send("awake");
      return (await nextLine<{ awake: number }>()).awake;
    },
    go: () => send("go"),
    async end() {
      send("end");
      return nextLine<LocksReport>();
    },
    async stop() {
      send("stop");
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await exited;
      clearTimeout(timer);
    },
  };
}
