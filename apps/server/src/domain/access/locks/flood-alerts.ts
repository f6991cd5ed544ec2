import type pg from "pg";
import type { Scope } from "../../../kernel/scope.ts";
import type { SystemScopes } from "../../../kernel/system-scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { raiseMessage, resolveMessages } from "../../messaging/public.ts";
import { holdLock } from "./lock-row-for-update.ts";

/** A flood is over after this time in milliseconds without a withheld report. */
const OVER_AFTER_MS = 10 * 60_000;

const OVER = `
SELECT hotel_id AS "hotelId", lock_id AS "lockId" FROM message
 WHERE kind = 'too_many_events' AND resolved_at IS NULL AND last_at <= $1::timestamptz
 ORDER BY 1, 2`;

/**
 * Raises the alert that a lock sends more than a door can cause. While it is open, each call updates the time of its
 * last occurrence.
 */
export async function alertFlood(scope: Scope, unit: Unit, lockId: number): Promise<void> {
  const lock = await holdLock(unit, lockId);
  if (lock) await raiseMessage(scope, unit, { kind: "too_many_events", lockId, roomId: lock.roomId });
}

/** Resolves the alerts about locks that have been within their budget for a while. */
export async function resolveFloods(pool: pg.Pool, scopes: SystemScopes, now: Date): Promise<void> {
  const { rows } = await pool.query<{ hotelId: number; lockId: number }>(OVER, [
    new Date(now.getTime() - OVER_AFTER_MS).toISOString(),
  ]);
  for (const { hotelId, lockId } of rows) {
    const scope = await scopes(hotelId);
    await scope?.write((unit) => resolveMessages(scope, unit, { kind: "too_many_events", lockId }));
  }
}
