import type pg from "pg";
import { z } from "zod";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { SystemScopes } from "../../../kernel/scope.ts";
import { selectLockForUpdate } from "../locks/select-lock-for-update.ts";
import { enqueue } from "./commands.ts";
import { UNREPORTED } from "./retry-commands.ts";

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

/**
 * Locks read back in one sweep, over all hotels. Their answers are long, so the locks of a hotel must not all be asked
 * at once.
 */
const MAX_AT_ONCE = 20;
/** Battery level in percent below which a lock is not read back, because it needs the power for its door. */
const LEAST_POWER = 20;
/** Pause before a read-back without an answer is repeated. */
const REPEAT_INTERVAL = "interval '1 hour'";

const DUE = `
  SELECT l.hotel_id AS "hotelId", l.id AS "lockId"
  FROM lock l, LATERAL (
    SELECT EXISTS (SELECT FROM lock_command f
        WHERE f.lock_id = l.id AND f.state = 'failed' AND NOT (f.type::text = ANY ($2::text[]))
          AND f.ended_at > $1::timestamptz - ${REPEAT_INTERVAL}
          AND NOT EXISTS (SELECT FROM lock_command r
                WHERE r.lock_id = l.id AND r.type = 'read_back' AND r.created_at >= f.ended_at)) AS doubted,
      coalesce(l.read_back_at, '-infinity') < $1::timestamptz - interval '24 hours'
        AND NOT EXISTS (SELECT FROM lock_command r
              WHERE r.lock_id = l.id AND r.type = 'read_back' AND r.created_at > $1::timestamptz - ${REPEAT_INTERVAL}) AS daily
  ) why
  WHERE l.driver = 'mqtt' AND l.online AND l.deleted_at IS NULL AND l.configured_at IS NOT NULL
    AND l.breaker_opened_at IS NULL AND coalesce(l.power, 100) >= ${LEAST_POWER} AND (why.doubted OR why.daily)
    AND NOT EXISTS (SELECT FROM lock_command o
          WHERE o.lock_id = l.id AND o.type = 'read_back' AND o.state IN ('queued', 'sent'))
  ORDER BY why.doubted DESC, l.read_back_at NULLS FIRST, l.id LIMIT ${MAX_AT_ONCE}`;

/** Locks that opened for an unknown key since their last read-back, each at most once in ten minutes. */
const UNKNOWN_KEYS = `
  SELECT l.hotel_id AS "hotelId", l.id AS "lockId" FROM lock l
  WHERE l.driver = 'mqtt' AND l.online AND l.deleted_at IS NULL AND l.breaker_opened_at IS NULL AND l.unmanaged <> '[]'
    AND EXISTS (SELECT FROM jsonb_array_elements(l.unmanaged) item
          WHERE NOT (item ->> 'adopted')::boolean AND (item ->> 'heardAt')::timestamptz > coalesce(
            (SELECT max(r.created_at) FROM lock_command r WHERE r.lock_id = l.id AND r.type = 'read_back'), '-infinity'))
    AND NOT EXISTS (SELECT FROM lock_command r WHERE r.lock_id = l.id AND r.type = 'read_back'
          AND (r.state IN ('queued', 'sent') OR r.created_at > $1::timestamptz - interval '10 minutes'))
  ORDER BY l.id LIMIT ${MAX_AT_ONCE}`;

/** Reads back locks that opened for a key that this console did not issue. Returns the number of locks. */
export async function askAboutUnknownKeys(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<number> {
  const { rows } = await pool.query<LockToAsk>(UNKNOWN_KEYS, [now.toISOString()]);
  await askEach(scopes, rows);
  return rows.length;
}

/**
 * Reads back locks of all hotels: each once a day, and soon after a failed command, when its content is uncertain.
 * Returns the number of locks.
 */
export async function askReadBacks(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<number> {
  const { rows } = await pool.query<LockToAsk>(DUE, [now.toISOString(), [...UNREPORTED]]);
  await askEach(scopes, rows);
  return rows.length;
}

interface LockToAsk {
  hotelId: number;
  lockId: number;
}

async function askEach(scopes: SystemScopes, locks: readonly LockToAsk[]): Promise<void> {
  for (const { hotelId, lockId } of locks) {
    const scope = await scopes(hotelId);
    await scope?.write(async (tx) => {
      if (!(await selectLockForUpdate(tx, lockId))) return;
      await enqueue(scope, tx, lockId, { type: "read_back", subject: "read_back", args: {} });
    });
  }
}
