import type pg from "pg";
import type { SystemScopes } from "../../core/system-scope.ts";
import { NOTABLE_DRIFT_SECONDS } from "./claim.ts";
import { END_AT_LOCK } from "./credential.sql.ts";
import { withdraw } from "./credentials.ts";
import { holdLock } from "./lock-row-for-update.ts";
import { settleCards } from "./min-sequences.ts";

/** Credentials revoked in one sweep; the next sweep handles the rest. */
const MAX_AT_ONCE = 200;

/**
 * Credentials `t` that have expired but that lock `l` still accepts, because it has not received the earlier end or its
 * clock is known to be slow. Zigbee locks store no end; zigbee-periods.ts removes their codes. `now`: placeholder of
 * the instant.
 */
const overrunning = (now: string, which: string): string => `
  SELECT t.id, t.hotel_id AS "hotelId", t.lock_id AS "lockId" FROM credential t JOIN lock l ON l.id = t.lock_id
  WHERE t.state NOT IN ('revoking', 'revoked') AND t.valid_to <= ${now}::timestamptz AND t.at_lock_from IS NOT NULL
    AND l.removed_at IS NULL AND l.driver <> 'zigbee2mqtt' AND ${which}
    AND (t.at_lock_to IS NULL OR ${END_AT_LOCK} > ${now}::timestamptz)`;
/** A clock difference counts for at most 30 days (the rule is in prisma/migrations). */
const due = (now: string): string => `SELECT * FROM (
  ${overrunning(now, "(t.at_lock_to IS NULL OR t.at_lock_to > t.valid_to)")}
  UNION
  ${overrunning(now, `l.drift_seconds < -${NOTABLE_DRIFT_SECONDS} AND t.valid_to > ${now}::timestamptz - interval '31 days'`)}) due`;

interface Due {
  id: number;
  hotelId: number;
  lockId: number;
}

/**
 * Revokes expired credentials that their locks still accept, so that they are listed as keys not yet blocked until the
 * lock has removed them. Returns the number of credentials found.
 */
export async function takeBackOverrunning(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<number> {
  const { rows } = await pool.query<Due>(`${due("$1")} ORDER BY 2, 3, 1 LIMIT ${MAX_AT_ONCE}`, [now.toISOString()]);
  for (const { id, hotelId, lockId } of rows) {
    const scope = await scopes(hotelId);
    await scope?.write(async (unit) => {
      if (!(await holdLock(unit, lockId))) return;
      // The credential may have been extended or revoked since the list was read.
      const still = await unit.sql.rows(
        `${due("$2")} WHERE "hotelId" = $1 AND id = $3::int`,
        scope.now().toISOString(),
        id,
      );
      if (still.length === 0) return;
      await withdraw(scope, unit, { id }, "period_over");
      await settleCards(scope, unit);
    });
  }
  return rows.length;
}
