import { lockArgs } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { enqueue, openArgs } from "../lock-commands/commands.ts";
import { LOOK_AHEAD } from "../passcodes/one-time.ts";

/**
 * Commands a lock to refuse card records below a sequence. This minimum only rises: nothing is sent if the lock is known
 * to have it already, or if such a command is open. The lock protocol calls it the floor.
 */
export async function raiseMinSequence(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  minSequence: number,
): Promise<void> {
  // The lock's row is locked, so that of two concurrent calls the lower minimum can't supersede the higher one.
  const [lock] = await tx.sql.rows<{ known: number }>(
    `SELECT guest_floor AS known FROM lock WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    lockId,
  );
  if (!lock || lock.known >= minSequence) return;
  const subject = "floor:guest";
  const open = await tx.db.lockCommand.findMany({
    where: { lockId, subject, state: { in: ["queued", "sent"] } },
    select: { id: true, argsBox: true },
  });
  if (open.some((command) => lockArgs.raise_floor.parse(openArgs(scope, command)).floor >= minSequence)) return;
  await enqueue(scope, tx, lockId, { type: "raise_floor", subject, args: { kind: "guest", floor: minSequence } });
}

/**
 * Marks revoked cards as `revoked` once they no longer open any door: each of their locks refuses them, or they have
 * expired (the rule is view card_risk in prisma/migrations). Called whenever a lock confirms something or reports a
 * newer card.
 */
export async function settleCards(scope: Scope, tx: Transaction): Promise<void> {
  await tx.sql.prepared(
    "settle-cards",
    `UPDATE card c SET state = 'revoked' WHERE c.hotel_id = $1 AND c.state = 'revoking'
       AND NOT EXISTS (SELECT FROM card_risk k WHERE k.hotel_id = $1 AND k.card_id = c.id
         AND (k.ends_at IS NULL OR k.ends_at > $2::timestamptz))
     RETURNING c.id`,
    scope.now().toISOString(),
  );
}

/**
 * Checks whether a lock can have reached a counter of one-time codes. A code that was never issued may be guessed, but
 * only within the lock's look-ahead.
 */
export const isCounterPossible = (
  { otpNext, otpFloor }: { otpNext: number; otpFloor: number },
  counter: number,
): boolean => counter < Math.max(otpNext, otpFloor) + LOOK_AHEAD;
