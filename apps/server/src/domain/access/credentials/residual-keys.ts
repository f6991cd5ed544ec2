import type pg from "pg";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import { raiseAlert, resolveAlerts } from "../../messaging/public.ts";
import { selectLockForUpdate } from "../locks/select-lock-for-update.ts";
import { overrunningKeys } from "./credential.sql.ts";
import { withdraw } from "./credentials.ts";
import { settleCards } from "./min-sequences.ts";
import { countResidual } from "./risk.service.ts";

/** Credentials revoked in one sweep; the next sweep handles the rest. */
const MAX_AT_ONCE = 200;

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
  const { rows } = await pool.query<Due>(`${overrunningKeys("$1")} ORDER BY 2, 3, 1 LIMIT ${MAX_AT_ONCE}`, [
    now.toISOString(),
  ]);
  for (const { id, hotelId, lockId } of rows) {
    const scope = await scopes(hotelId);
    await scope?.write(async (tx) => {
      if (!(await selectLockForUpdate(tx, lockId))) return;
      // The credential may have been extended or revoked since the list was read.
      const still = await tx.sql.rows(
        `${overrunningKeys("$2")} WHERE "hotelId" = $1 AND id = $3::int`,
        scope.now().toISOString(),
        id,
      );
      if (still.length === 0) return;
      await withdraw(scope, tx, { id }, "period_over");
      await settleCards(scope, tx);
    });
  }
  return rows.length;
}

/** A lock that is silent for less than this time in milliseconds is expected to come back by itself. */
const SILENT_MS = 5 * 60_000;

/**
 * Locks that are unreachable, and locks with an open alert. Removed locks are left out: the person who removed one
 * knows about its keys, and they stay on the list.
 */
const SUSPECTS = `
SELECT l.hotel_id AS "hotelId", l.id AS "lockId", l.room_id AS "roomId", m.id IS NOT NULL AS "isRaised",
  (m.params->>'keys')::int AS "raisedKeys",
  (NOT l.online OR l.breaker_opened_at IS NOT NULL) AND coalesce(l.last_seen_at, l.created_at) < $1::timestamptz AS "isSilent"
  FROM lock l
  LEFT JOIN alert m ON m.hotel_id = l.hotel_id AND m.lock_id = l.id AND m.kind = 'residual_keys' AND m.resolved_at IS NULL
 WHERE l.deleted_at IS NULL AND l.configured_at IS NOT NULL
   AND (m.id IS NOT NULL
     OR (NOT l.online OR l.breaker_opened_at IS NOT NULL) AND coalesce(l.last_seen_at, l.created_at) < $1::timestamptz)
 ORDER BY 1, 2`;

interface Suspect {
  hotelId: number;
  lockId: number;
  roomId: number | null;
  isRaised: boolean;
  raisedKeys: number | null;
  isSilent: boolean;
}

/**
 * Raises an alert for each lock that has been unreachable for a while and may still open for keys that should no longer
 * work. Resolves the alert when no such key is left. More keys than before count as a new cause; fewer change nothing.
 */
export async function alertResidualKeys(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<void> {
  const since = new Date(now.getTime() - SILENT_MS).toISOString();
  const { rows } = await pool.query<Suspect>(SUSPECTS, [since]);
  for (const hotelId of new Set(rows.map((suspect) => suspect.hotelId))) {
    const scope = await scopes(hotelId);
    if (!scope) continue;
    const counts = await countResidual(scope);
    for (const { lockId, roomId, isRaised, raisedKeys, isSilent } of rows.filter((one) => one.hotelId === hotelId)) {
      const keys = counts.get(lockId) ?? 0;
      const isNew = keys > 0 && isSilent && (!isRaised || keys > (raisedKeys ?? 0));
      const isOver = keys === 0 && isRaised;
      if (!isNew && !isOver) continue;
      await scope.write(async (tx) => {
        if (!(await selectLockForUpdate(tx, lockId))) return;
        if (isOver) await resolveAlerts(scope, tx, { kind: "residual_keys", lockId });
        else await raiseAlert(scope, tx, { kind: "residual_keys", lockId, roomId, params: { keys } });
      });
    }
  }
}
