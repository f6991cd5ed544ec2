import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";

/** Sends a lock its next commands. With `again`, a command that was sent but not yet answered is sent again as well. */
export const dispatchLock: Job<{ hotelId: number; lockId: number; again?: boolean | undefined }> = {
  name: "locks.dispatch",
  payload: z.object({ hotelId: z.int(), lockId: z.int(), again: z.boolean().optional() }),
};

/** Processes all due commands, including those left behind by a failed process, queue or database. */
export const sweepLocks: Job<Record<string, never>> = { name: "locks.sweep", payload: z.strictObject({}) };

/** Reads back the credentials of locks. */
export const readBackLocks: Job<Record<string, never>> = { name: "locks.read-back", payload: z.strictObject({}) };

/** Deletes old commands. */
export const dropCommands: Job<Record<string, never>> = { name: "locks.drop-commands", payload: z.strictObject({}) };

const SWEEP_SECONDS = 5;
const READ_BACK_SECONDS = 60;
const DROP_SECONDS = 86_400;
/**
 * Locks that one process handles at once. A slow or unreachable lock occupies one of these places for seconds at most.
 */
const AT_ONCE = 32;

interface Plane {
  dispatch(hotelId: number, lockId: number, log: Logger, again?: boolean): Promise<void>;
  sweep(log: Logger): Promise<void>;
  readBack(): Promise<void>;
  dropOld(): Promise<void>;
}

export function defineLockJobs(queue: JobQueue, plane: Plane): void {
  // The job itself is not retried, because the sweep tries again anyway.
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
