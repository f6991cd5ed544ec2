import type { Lock, LockCommand } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { END_AT_LOCK } from "../credentials/credential.sql.ts";
import { endAtLock } from "../credentials/credentials.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { selectLockForUpdate } from "../locks/select-lock-for-update.ts";
import { hasPresence, knowsTime } from "./claim-commands.ts";
import { measureEnd } from "./commands.ts";
import { countFailure, failCommand, failCredential, isNewest, putBack } from "./retry-failed-commands.ts";

/**
 * Processes a lock's commands that expired or were not answered in time. An unanswered command goes back into the
 * queue, unless a newer command has the same subject; then the newer one replaces it.
 */
export async function endOverdue(scope: Scope, tx: Transaction, lockId: number, ids: readonly string[]): Promise<void> {
  const now = scope.now();
  if (!(await selectLockForUpdate(tx, lockId))) return;
  const commands = await tx.db.lockCommand.findMany({
    where: { lockId, id: { in: [...ids] }, state: { in: ["queued", "sent"] } },
    orderBy: { seq: "asc" },
  });
  for (const command of commands) {
    const lock = await tx.db.lock.findFirstOrThrow({ where: { id: lockId } });
    const unanswered = command.state === "sent";
    if (unanswered && command.nextTryAt > now) continue;
    const isOver = command.expiresAt !== null && command.expiresAt <= now && !(await prolong(scope, tx, command));
    if (isOver) await expire(scope, tx, lock, command);
    else if (unanswered && command.type === "unlock" && !hasPresence(lock.driver))
      await giveUp(scope, tx, lock, command);
    else if (unanswered && (await isNewest(tx, command))) await putBack(scope, tx, lock, command, "no_answer");
    else if (unanswered) await giveWay(scope, tx, lock, command);
  }
}

/**
 * Extends a revocation command for as long as the lock may accept the key. That can be longer than first assumed if the
 * lock's clock turned out to be slow or the lock was silent for long. Returns whether the command was extended.
 */
async function prolong(
  scope: Scope,
  tx: Transaction,
  { id, lockId, type, credentialId, subject }: LockCommand,
): Promise<boolean> {
  let expiresAt: Date | null;
  if (type === "remove_credential" && credentialId !== null) {
    const where = { id: credentialId, state: "revoking" as const };
    if (!(await tx.db.credential.findFirst({ where, select: { id: true } }))) return false;
    expiresAt = await endAtLock(tx, credentialId);
  } else if (type === "block_card" || type === "allow_card") {
    const [risk] = await tx.sql.rows<{ end: string | null }>(
      `SELECT iso(k.ends_at) AS "end" FROM card_risk k JOIN card c ON c.id = k.card_id
        WHERE k.hotel_id = $1 AND k.lock_id = $2 AND 'card:' || c.uid = $3 ORDER BY k.ends_at DESC NULLS FIRST LIMIT 1`,
      lockId,
      subject,
    );
    if (!risk) return false;
    expiresAt = risk.end === null ? null : new Date(risk.end);
  } else return false;
  if (expiresAt !== null && expiresAt <= scope.now()) return false;
  await tx.db.lockCommand.updateMany({ where: { id }, data: { expiresAt } });
  return true;
}

/**
 * Fails an unanswered unlock on a lock of another make. Only locks of our own protocol execute a repeated command once;
 * others might open again when the person has left. The person at the door can ask again.
 */
async function giveUp(scope: Scope, tx: Transaction, lock: Lock, command: LockCommand): Promise<void> {
  await countFailure(scope, tx, lock, "no_answer");
  await failCommand(scope, tx, lock, command, "no_answer");
}

async function giveWay(scope: Scope, tx: Transaction, lock: Lock, { id }: LockCommand): Promise<void> {
  await tx.db.lockCommand.updateMany({
    where: { id, state: "sent" },
    data: { state: "superseded", endedAt: scope.now(), argsBox: null, error: "no_answer" },
  });
  await countUnlessAway(scope, tx, lock);
}

async function expire(scope: Scope, tx: Transaction, lock: Lock, command: LockCommand): Promise<void> {
  const { id, state, type, credentialId } = command;
  const { count } = await tx.db.lockCommand.updateMany({
    where: { id, state },
    data: { state: "expired", endedAt: scope.now(), argsBox: null },
  });
  if (count > 0) measureEnd(scope, tx, command, "expired");
  if (state === "sent") await countUnlessAway(scope, tx, lock);
  if (type === "set_credential") await failCredential(tx, command, "no_answer");
  if (type !== "remove_credential" || credentialId === null || !knowsTime(lock.driver)) return;
  // The credential that the lock should have removed has expired there.
  await tx.sql.rows(
    `UPDATE credential t SET state = 'revoked' FROM lock l
      WHERE t.hotel_id = $1 AND t.id = $2::int AND t.state = 'revoking' AND l.id = t.lock_id
        AND ${END_AT_LOCK} <= $3::timestamptz RETURNING t.id`,
    credentialId,
    scope.now().toISOString(),
  );
  await settleCards(scope, tx);
}

async function countUnlessAway(scope: Scope, tx: Transaction, lock: Lock): Promise<void> {
  if (!hasPresence(lock.driver) || lock.online) await countFailure(scope, tx, lock, "no_answer");
}
