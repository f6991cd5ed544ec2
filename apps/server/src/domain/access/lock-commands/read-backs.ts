import type pg from "pg";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import { selectLockForUpdate } from "../locks/select-lock-for-update.ts";
import { enqueue } from "./commands.ts";
import { UNREPORTED } from "./retry-failed-commands.ts";

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
