import type pg from "pg";
import type { SystemScopes } from "../../../kernel/scope.ts";
import { enqueue, selectLockForUpdate } from "./commands.ts";

import { COMMANDS_WITHOUT_ALERT } from "./retry-commands.ts";

const RETENTION_DAYS = 90;
const MAX_ROWS = 1_000;

/** Walks through the commands in the order of `seq` and deletes those that are no longer needed. */
const DELETE_COMMANDS = `
  WITH old AS (
    SELECT * FROM lock_command
    WHERE seq > $1::bigint AND created_at < $2::timestamptz - interval '${RETENTION_DAYS} days' ORDER BY seq LIMIT ${MAX_ROWS}
  ), deleted AS (
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
  SELECT (SELECT max(seq)::text FROM old) AS last, (SELECT count(*)::int FROM deleted) AS deleted`;

/**
 * Deletes commands that ended 90 days ago, in batches, except for three groups: those of a credential that may still
 * open, because they show whether it was ever sent to the lock; the latest one about a card's number, because it shows
 * which locks refuse the number; and all those about a card that is not yet revoked. Returns the number of deleted
 * commands.
 */
export async function dropOldCommands(pool: pg.Pool, now: Date): Promise<number> {
  let total = 0;
  for (let from = "0"; ; ) {
    const { rows } = await pool.query<{ last: string | null; deleted: number }>(DELETE_COMMANDS, [
      from,
      now.toISOString(),
    ]);
    const [batch] = rows;
    if (!batch || batch.last === null) return total;
    total += batch.deleted;
    from = batch.last;
  }
}

/**
 * Maximum number of locks read back in one sweep, over all hotels. The answers are long, so the locks of a hotel must not
 * all answer at once.
 */
const MAX_READ_BACKS = 20;
/** Battery level in percent below which a lock is not read back, because it needs the power for its door. */
const MIN_POWER_PERCENT = 20;
/** Pause before a read-back without an answer is repeated. */
const REPEAT_INTERVAL = "interval '1 hour'";

const DUE_READ_BACKS = `
  SELECT l.hotel_id AS "hotelId", l.id AS "lockId"
  FROM lock l, LATERAL (
    SELECT EXISTS (SELECT FROM lock_command f
        WHERE f.lock_id = l.id AND f.state = 'failed' AND NOT (f.type::text = ANY ($2::text[]))
          AND f.ended_at > $1::timestamptz - ${REPEAT_INTERVAL}
          AND NOT EXISTS (SELECT FROM lock_command r
                WHERE r.lock_id = l.id AND r.type = 'read_back' AND r.created_at >= f.ended_at)) AS uncertain,
      coalesce(l.read_back_at, '-infinity') < $1::timestamptz - interval '24 hours'
        AND NOT EXISTS (SELECT FROM lock_command r
              WHERE r.lock_id = l.id AND r.type = 'read_back' AND r.created_at > $1::timestamptz - ${REPEAT_INTERVAL}) AS daily
  ) due
  WHERE l.driver = 'mqtt' AND l.online AND l.deleted_at IS NULL AND l.configured_at IS NOT NULL
    AND l.breaker_opened_at IS NULL AND coalesce(l.power, 100) >= ${MIN_POWER_PERCENT} AND (due.uncertain OR due.daily)
    AND NOT EXISTS (SELECT FROM lock_command o
          WHERE o.lock_id = l.id AND o.type = 'read_back' AND o.state IN ('queued', 'sent'))
  ORDER BY due.uncertain DESC, l.read_back_at NULLS FIRST, l.id LIMIT ${MAX_READ_BACKS}`;

/** Locks that opened for an unknown key since their last read-back, each at most once in ten minutes. */
const UNKNOWN_KEY_READ_BACKS = `
  SELECT l.hotel_id AS "hotelId", l.id AS "lockId" FROM lock l
  WHERE l.driver = 'mqtt' AND l.online AND l.deleted_at IS NULL AND l.breaker_opened_at IS NULL AND l.unmanaged <> '[]'
    AND EXISTS (SELECT FROM jsonb_array_elements(l.unmanaged) item
          WHERE NOT (item ->> 'adopted')::boolean AND (item ->> 'heardAt')::timestamptz > coalesce(
            (SELECT max(r.created_at) FROM lock_command r WHERE r.lock_id = l.id AND r.type = 'read_back'), '-infinity'))
    AND NOT EXISTS (SELECT FROM lock_command r WHERE r.lock_id = l.id AND r.type = 'read_back'
          AND (r.state IN ('queued', 'sent') OR r.created_at > $1::timestamptz - interval '10 minutes'))
  ORDER BY l.id LIMIT ${MAX_READ_BACKS}`;

/** Reads back locks that opened for a key that this console did not issue. Returns the number of locks. */
export async function enqueueUnknownKeyReadBacks(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<number> {
  const { rows } = await pool.query<LockToRead>(UNKNOWN_KEY_READ_BACKS, [now.toISOString()]);
  await enqueueReadBacks(scopes, rows);
  return rows.length;
}

/**
 * Reads back locks of all hotels: each once a day, and soon after a failed command, when its content is uncertain.
 * Returns the number of locks.
 */
export async function enqueueDueReadBacks(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<number> {
  const { rows } = await pool.query<LockToRead>(DUE_READ_BACKS, [now.toISOString(), [...COMMANDS_WITHOUT_ALERT]]);
  await enqueueReadBacks(scopes, rows);
  return rows.length;
}

interface LockToRead {
  hotelId: number;
  lockId: number;
}

async function enqueueReadBacks(scopes: SystemScopes, locks: readonly LockToRead[]): Promise<void> {
  for (const { hotelId, lockId } of locks) {
    const scope = await scopes(hotelId);
    await scope?.write(async (tx) => {
      if (!(await selectLockForUpdate(tx, lockId))) return;
      await enqueue(scope, tx, lockId, { type: "read_back", subject: "read_back", args: {} });
    });
  }
}
