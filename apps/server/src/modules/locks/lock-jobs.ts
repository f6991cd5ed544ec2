import { z } from "zod";
import type { Job, JobQueue } from "../../infra/queue.ts";
import type { LockPlane } from "./lock-plane.ts";

/** A lock has something to do; `again`: also what it was sent and has left unanswered so far. */
export const dispatchLock: Job<{ hotelId: number; lockId: number; again?: boolean | undefined }> = {
  name: "locks.dispatch",
  payload: z.object({ hotelId: z.int(), lockId: z.int(), again: z.boolean().optional() }),
};

/** What is due, or was left behind by a process, queue or database that went away. */
export const sweepLocks: Job<Record<string, never>> = { name: "locks.sweep", payload: z.strictObject({}) };

/** Locks are asked what they hold. */
export const readBackLocks: Job<Record<string, never>> = { name: "locks.read-back", payload: z.strictObject({}) };

/** Commands of long ago are dropped. */
export const dropCommands: Job<Record<string, never>> = { name: "locks.drop-commands", payload: z.strictObject({}) };

const SWEEP_SECONDS = 5;
const READ_BACK_SECONDS = 60;
const DROP_SECONDS = 86_400;
/** Locks spoken to at once by one process; a slow or dead one holds one of these places for seconds at most. */
const AT_ONCE = 32;

export function defineLockJobs(queue: JobQueue, plane: LockPlane): void {
  // The sweep is what tries again; a job that failed would only come beside it.
  queue.define(dispatchLock, ({ hotelId, lockId, again }, log) => plane.dispatch(hotelId, lockId, log, again), {
    concurrency: AT_ONCE,
    attempts: 1,
  });
  queue.define(sweepLocks, (_payload, log) => plane.sweep(log), { concurrency: 1, attempts: 1 });
  queue.every(sweepLocks, SWEEP_SECONDS, {});
  queue.define(readBackLocks, () => plane.readBack(), { concurrency: 1, attempts: 1 });
  queue.every(readBackLocks, READ_BACK_SECONDS, {});
  queue.define(dropCommands, () => plane.dropOld(), { concurrency: 1, attempts: 1 });
  queue.every(dropCommands, DROP_SECONDS, {});
}
