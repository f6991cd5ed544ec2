import type pg from "pg";
import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";

const RETENTION_DAYS = 90;
const ROWS_AT_ONCE = 1_000;

/** Walks through the commands in the order of `seq` and deletes those that are no longer needed. */
const DROP = `
  WITH old AS (
    SELECT * FROM lock_command
    WHERE seq > $1::bigint AND created_at < $2::timestamptz - interval '${RETENTION_DAYS} days' ORDER BY seq LIMIT ${ROWS_AT_ONCE}
  ), dropped AS (
    DELETE FROM lock_command k USING old
    WHERE k.id = old.id AND k.state NOT IN ('queued', 'sent')
      AND coalesce(k.ended_at, k.created_at) < $2::timestamptz - interval '${RETENTION_DAYS} days'
      AND NOT EXISTS (SELECT FROM credential t WHERE t.id = k.credential_id AND t.state <> 'revoked')
      AND (k.type NOT IN ('block_card', 'allow_card') OR k.state = 'superseded' OR (
        NOT EXISTS (SELECT FROM card c
              WHERE c.hotel_id = k.hotel_id AND 'card:' || c.uid = k.subject AND c.state <> 'revoked')
        AND (EXISTS (SELECT FROM lock_command n
               WHERE n.lock_id = k.lock_id AND n.subject = k.subject AND n.seq > k.seq AND n.state <> 'superseded')
          OR (k.expires_at < $2::timestamptz
            AND NOT EXISTS (SELECT FROM lock_command b
                  WHERE b.lock_id = k.lock_id AND b.subject = k.subject AND b.seq < k.seq AND b.state <> 'superseded')))))
    RETURNING k.id
  )
  SELECT (SELECT max(seq)::text FROM old) AS last, (SELECT count(*)::int FROM dropped) AS dropped`;

/**
 * Deletes commands that ended 90 days ago, in batches. Three groups stay. Commands of a credential that may still open
 * show whether it was ever sent to the lock. The latest command about a card's number shows which locks refuse it. All
 * commands about a card that is not yet revoked stay too. Returns the number of deleted commands.
 */
export async function dropOldCommands(pool: pg.Pool, now: Date): Promise<number> {
  let total = 0;
  for (let from = "0"; ; ) {
    const { rows } = await pool.query<{ last: string | null; dropped: number }>(DROP, [from, now.toISOString()]);
    const [batch] = rows;
    if (!batch || batch.last === null) return total;
    total += batch.dropped;
    from = batch.last;
  }
}

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
