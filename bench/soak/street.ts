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
  /** how long a lock waits for an answer about its events before it tells them again; without it, as locks do */
  resendMs?: number;
}

export interface LocksReport {
  /** events by lock */
  told: Record<string, number>;
  /** how many the console has not acknowledged */
  left: number;
}

export interface LocksProcess {
  /** how many are connected, at most three minutes on */
  awake(): Promise<number>;
  go(): void;
  /** no more openings; waits until the console has them all, or for the plan's drainMs */
  end(): Promise<LocksReport>;
  stop(): Promise<void>;
}

/** Simulated locks in a process of their own, so that they take no turns from whoever measures. */
export function startLocks(plan: LocksPlan): LocksProcess {
  const script = fileURLToPath(new URL("locks.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (word: string): void => void child.stdin.write(`${word}\n`);
  say(JSON.stringify(plan));
  const heard = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the locks' process ended");
    return JSON.parse(value) as T;
  };
  return {
    async awake() {
      say("awake");
      return (await heard<{ awake: number }>()).awake;
    },
    go: () => say("go"),
    async end() {
      say("end");
      return heard<LocksReport>();
    },
    async stop() {
      say("stop");
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await gone;
      clearTimeout(timer);
    },
  };
}
