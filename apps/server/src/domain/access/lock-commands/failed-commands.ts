import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { addAlertParams, resolveAlerts } from "../../messaging/public.ts";
import { MAX_TRIES } from "./claim.ts";
import { UNREPORTED } from "./failures.ts";

/**
 * Resolves the alert that a lock did not execute a command. One condition is that every command that failed since the
 * alert was raised succeeded later or no longer matters, and no command is being retried again and again. The other is
 * that staff had the lock's commands sent again and none of them is left open. A successful configure also covers a
 * failed raise_floor.
 */
export async function resolveFailures(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  const [message] = await tx.sql.rows<{ settled: boolean }>(
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
       FROM alert m
      WHERE m.hotel_id = $1 AND m.lock_id = $2 AND m.kind = 'command_failed' AND m.resolved_at IS NULL`,
    lockId,
    [...UNREPORTED],
    scope.now().toISOString(),
  );
  if (message?.settled) await resolveAlerts(scope, tx, { kind: "command_failed", lockId });
}

/** Marks the alert after staff had the commands sent again. The next failure removes the mark (COUNTED_AS_ONE). */
export async function markResent(tx: Transaction, lockId: number): Promise<void> {
  await addAlertParams(tx, { kind: "command_failed", lockId }, { toldAgain: 1 });
}
