import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import { resolveMessages } from "../messages/raise.ts";
import { MAX_TRIES } from "./claim.ts";
import { UNREPORTED } from "./failures.ts";

/**
 * The message that a lock did not do what it was told is settled once nothing of it is left: everything that failed since
 * it was raised was done later or is over by now, and nothing is tried over and over, or it was told again by hand and the
 * lock has nothing more to do. What a floor was raised to comes with all that sets a lock up, too.
 */
export async function resolveFailures(scope: Scope, unit: Unit, lockId: number): Promise<void> {
  const [message] = await unit.sql.rows<{ settled: boolean }>(
    `SELECT (m.params ? 'toldAgain' AND NOT EXISTS (SELECT FROM lock_command w
                WHERE w.lock_id = $2 AND w.state IN ('queued', 'sent') AND NOT (w.type::text = ANY ($3::text[]))))
         OR NOT EXISTS (SELECT FROM lock_command f
                WHERE f.lock_id = $2 AND f.state = 'failed' AND f.ended_at >= m.first_at AND NOT (f.type::text = ANY ($3::text[]))
                  AND (f.expires_at IS NULL OR f.expires_at > $4::timestamptz
                    OR EXISTS (SELECT FROM credential t WHERE t.id = f.credential_id AND t.state = 'revoking')
                    OR EXISTS (SELECT FROM card c WHERE c.id = f.card_id AND c.state = 'revoking'))
                  AND NOT EXISTS (SELECT FROM credential t WHERE t.id = f.credential_id
                        AND (t.state = 'revoked' OR (t.state IN ('confirmed', 'used') AND f.type = 'set_credential')))
                  AND NOT EXISTS (SELECT FROM lock_command d
                        WHERE d.lock_id = $2 AND (d.subject = f.subject OR d.type = 'configure' AND f.type = 'raise_floor')
                          AND d.seq > f.seq AND d.state = 'acknowledged'))
            AND NOT EXISTS (SELECT FROM lock_command w
                  WHERE w.lock_id = $2 AND w.state IN ('queued', 'sent') AND w.tries >= ${MAX_TRIES} AND NOT (w.type::text = ANY ($3::text[])))
       AS settled
       FROM message m
      WHERE m.hotel_id = $1 AND m.lock_id = $2 AND m.kind = 'command_failed' AND m.resolved_at IS NULL`,
    lockId,
    [...UNREPORTED],
    scope.now().toISOString(),
  );
  if (message?.settled) await resolveMessages(scope, unit, { kind: "command_failed", lockId });
}

/** Somebody had the lock told again. What fails from here on is news, which takes the mark away (COUNTED_AS_ONE). */
export async function markResent(unit: Unit, lockId: number): Promise<void> {
  await unit.sql.rows(
    `UPDATE message SET params = params || '{"toldAgain": 1}'
      WHERE hotel_id = $1 AND lock_id = $2 AND kind = 'command_failed' AND resolved_at IS NULL RETURNING id`,
    lockId,
  );
}
