import type pg from "pg";
import type { SystemScopes } from "../../core/system-scope.ts";
import { NOTABLE_DRIFT_SECONDS } from "./claim.ts";
import { END_AT_LOCK } from "./credential.sql.ts";
import { withdraw } from "./credentials.ts";
import { holdLock } from "./lock-row-for-update.ts";
import { settleCards } from "./min-sequences.ts";

/** Keys in one sweep; the rest comes with the next. */
const MAX_AT_ONCE = 200;

/**
 * Keys `t` whose time is over and whose lock `l` lets them in all the same: it has not taken the earlier end, or its clock is
 * known to be slow. A Zigbee lock knows no ends; zigbee-periods.ts switches its codes off. `now`: the parameter of the instant.
 */
const overrunning = (now: string, which: string): string => `
  SELECT t.id, t.hotel_id AS "hotelId", t.lock_id AS "lockId" FROM credential t JOIN lock l ON l.id = t.lock_id
  WHERE t.state NOT IN ('revoking', 'revoked') AND t.valid_to <= ${now}::timestamptz AND t.at_lock_from IS NOT NULL
    AND l.removed_at IS NULL AND l.driver <> 'zigbee2mqtt' AND ${which}
    AND (t.at_lock_to IS NULL OR ${END_AT_LOCK} > ${now}::timestamptz)`;
/** A difference of clocks counts for 30 days at most (prisma/migrations has the rule). */
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
 * Takes back what its lock still lets in though its time is over, so that it is shown as a key that may open until the lock
 * has dropped it. Returns how many there were.
 */
export async function takeBackOverrunning(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<number> {
  const { rows } = await pool.query<Due>(`${due("$1")} ORDER BY 2, 3, 1 LIMIT ${MAX_AT_ONCE}`, [now.toISOString()]);
  for (const { id, hotelId, lockId } of rows) {
    const scope = await scopes(hotelId);
    await scope?.write(async (unit) => {
      if (!(await holdLock(unit, lockId))) return;
      // It may have been given more time, or have been taken back, since the list was read.
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
