import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../../messaging/public.ts";

/** One-time codes that lock $2 still accepts at the instant $3, as far as the console knows. */
const OUTSTANDING = `
  SELECT p.id FROM credential t JOIN passcode p ON p.id = t.passcode_id AND p.type = 'one_time' JOIN lock l ON l.id = t.lock_id
   WHERE t.hotel_id = $1 AND t.lock_id = $2 AND t.state NOT IN ('used', 'revoking', 'revoked') AND p.deleted_at IS NULL
     AND p.otp_counter >= l.otp_floor AND (p.valid_to IS NULL OR p.valid_to > $3::timestamptz)`;

/**
 * Raises an alert that names the outstanding one-time codes of a lock that lost its memory. The lock no longer knows
 * which of them opened it since its last report, so each may open once more without a trace. The screen adds the codes'
 * owners (`ALERT_ROW`).
 */
export async function alertCodesAgain(
  scope: Scope,
  tx: Transaction,
  { id: lockId, roomId }: { id: number; roomId: number | null },
): Promise<void> {
  const codes = await tx.sql.rows<{ id: number }>(`${OUTSTANDING} ORDER BY p.id`, lockId, scope.now().toISOString());
  if (codes.length === 0) return;
  const params = { codes: codes.map(({ id }) => id).join(",") };
  await raiseAlert(scope, tx, { kind: "codes_again", lockId, roomId, params });
}

/** Resolves the alert once all of its codes were used, have expired, or are confirmed as revoked by the lock. */
export async function resolveCodesAgain(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  const [settled] = await tx.sql.rows(
    `SELECT m.id FROM alert m
      WHERE m.hotel_id = $1 AND m.lock_id = $2 AND m.kind = 'codes_again' AND m.resolved_at IS NULL
        AND NOT EXISTS (SELECT FROM credential t WHERE t.lock_id = $2 AND t.state = 'revoking'
              AND t.passcode_id = ANY (string_to_array(m.params ->> 'codes', ',')::int[]))
        AND NOT EXISTS (SELECT FROM (${OUTSTANDING}) o WHERE o.id = ANY (string_to_array(m.params ->> 'codes', ',')::int[]))`,
    lockId,
    scope.now().toISOString(),
  );
  if (settled) await resolveAlerts(scope, tx, { kind: "codes_again", lockId });
}
