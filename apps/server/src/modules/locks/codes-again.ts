import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { raiseMessage, resolveMessages } from "../messages/raise.ts";

/** One-time codes of lock $2 that it takes as far as the console knows, at the instant $3. */
const OUTSTANDING = `
  SELECT p.id FROM credential t JOIN passcode p ON p.id = t.passcode_id AND p.type = 'one_time' JOIN lock l ON l.id = t.lock_id
   WHERE t.hotel_id = $1 AND t.lock_id = $2 AND t.state NOT IN ('used', 'revoking', 'revoked') AND p.deleted_at IS NULL
     AND p.otp_counter >= l.otp_floor AND (p.valid_to IS NULL OR p.valid_to > $3::timestamptz)`;

/**
 * A lock that lost its memory no longer knows which one-time codes opened it since its last report: each that is out may
 * open once more, and nobody will ever know. So operators hear of it, with whose codes they are (`MESSAGE_ROW`).
 */
export async function alertCodesAgain(
  scope: Scope,
  unit: Unit,
  { id: lockId, roomId }: { id: number; roomId: number | null },
): Promise<void> {
  const codes = await unit.sql.rows<{ id: number }>(`${OUTSTANDING} ORDER BY p.id`, lockId, scope.now().toISOString());
  if (codes.length === 0) return;
  const params = { codes: codes.map(({ id }) => id).join(",") };
  await raiseMessage(scope, unit, { kind: "codes_again", lockId, roomId, params });
}

/** Those codes are over: used, run out, or taken back as the lock confirmed. */
export async function resolveCodesAgain(scope: Scope, unit: Unit, lockId: number): Promise<void> {
  const [settled] = await unit.sql.rows(
    `SELECT m.id FROM message m
      WHERE m.hotel_id = $1 AND m.lock_id = $2 AND m.kind = 'codes_again' AND m.resolved_at IS NULL
        AND NOT EXISTS (SELECT FROM credential t WHERE t.lock_id = $2 AND t.state = 'revoking'
              AND t.passcode_id = ANY (string_to_array(m.params ->> 'codes', ',')::int[]))
        AND NOT EXISTS (SELECT FROM (${OUTSTANDING}) o WHERE o.id = ANY (string_to_array(m.params ->> 'codes', ',')::int[]))`,
    lockId,
    scope.now().toISOString(),
  );
  if (settled) await resolveMessages(scope, unit, { kind: "codes_again", lockId });
}
