import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { END_AT_LOCK, enqueueRemoval } from "./credentials.ts";

/**
 * Ended keys that lock $2 may have: those whose removal it has not confirmed, and revoked ones that it had when they were
 * written off, up to their end by its clock, or in the slots that it reports ($4). $3: the instant.
 */
const RETURNED = `SELECT t.id FROM credential t JOIN lock l ON l.id = t.lock_id
  WHERE t.hotel_id = $1 AND t.lock_id = $2::int AND (t.state = 'revoking' AND $4::int[] IS NULL
    OR t.state = 'revoked' AND CASE WHEN $4::int[] IS NULL
      THEN t.at_lock_from IS NOT NULL AND (${END_AT_LOCK} IS NULL OR ${END_AT_LOCK} > $3::timestamptz)
      ELSE t.id = ANY ($4::int[]) END)
    AND NOT EXISTS (SELECT FROM passcode p WHERE p.id = t.passcode_id AND p.type = 'one_time' AND p.otp_counter < l.otp_floor)
  ORDER BY t.id`;

/**
 * Makes the revoked keys $2 wait for their removal again. A key or code has one such row at a lock, the newest, unless it
 * is live there; the other slots are removed all the same.
 */
const REOPEN = `UPDATE credential t SET state = 'revoking', fail_reason = NULL
  WHERE t.hotel_id = $1 AND t.id = ANY ($2::int[]) AND t.state = 'revoked'
    AND NOT EXISTS (SELECT FROM credential o
      WHERE o.lock_id = t.lock_id AND o.id <> t.id AND (o.state <> 'revoked' OR o.id = ANY ($2::int[]) AND o.id > t.id)
        AND (o.card_id = t.card_id OR o.passcode_id = t.passcode_id OR o.face_id = t.face_id OR o.code_hash = t.code_hash))
  RETURNING t.id`;

/**
 * Removes what a lock still has of the keys that ended, though they were written off or their removal was forgotten with
 * the lock. Until it confirms that, they are listed as keys that may still open. `slots`: only keys that the lock
 * reported to have; otherwise all that it may have.
 */
export async function reopenRevocations(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  slots: readonly number[] | null = null,
): Promise<void> {
  if (slots?.length === 0) return;
  const now = scope.now().toISOString();
  const returned = await tx.sql.rows<{ id: number }>(RETURNED, lockId, now, slots && [...slots]);
  const ids = returned.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.sql.rows(REOPEN, ids);
  for (const credential of await tx.db.credential.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } }))
    await enqueueRemoval(scope, tx, credential);
}
