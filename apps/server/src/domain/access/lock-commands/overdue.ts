import type { Lock, LockCommand } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Unit } from "../../../kernel/unit.ts";
import { END_AT_LOCK } from "../credentials/credential.sql.ts";
import { endAtLock } from "../credentials/credentials.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { holdLock } from "../locks/lock-row-for-update.ts";
import { hasPresence, knowsTime } from "./claim.ts";
import { measureEnd } from "./command-measures.ts";
import { countFailure, failCommand, failCredential, isNewest, putBack } from "./failures.ts";

/**
 * Processes a lock's commands that expired or were not answered in time. An unanswered command goes back into the
 * queue, unless a newer command has the same subject; then the newer one replaces it.
 */
export async function endOverdue(scope: Scope, unit: Unit, lockId: number, ids: readonly string[]): Promise<void> {
  const now = scope.now();
  if (!(await holdLock(unit, lockId))) return;
  const commands = await unit.db.lockCommand.findMany({
    where: { lockId, id: { in: [...ids] }, state: { in: ["queued", "sent"] } },
    orderBy: { seq: "asc" },
  });
  for (const command of commands) {
    const lock = await unit.db.lock.findFirstOrThrow({ where: { id: lockId } });
    const unanswered = command.state === "sent";
    if (unanswered && command.nextTryAt > now) continue;
    const isOver = command.expiresAt !== null && command.expiresAt <= now && !(await prolong(scope, unit, command));
    if (isOver) await expire(scope, unit, lock, command);
    else if (unanswered && command.type === "unlock" && !hasPresence(lock.driver))
      await giveUp(scope, unit, lock, command);
    else if (unanswered && (await isNewest(unit, command))) await putBack(scope, unit, lock, command, "no_answer");
    else if (unanswered) await giveWay(scope, unit, lock, command);
  }
}

/**
 * Extends a revocation command for as long as the lock may accept the key. That can be longer than first assumed if the
 * lock's clock turned out to be slow or the lock was silent for long. Returns whether the command was extended.
 */
async function prolong(
  scope: Scope,
  unit: Unit,
  { id, lockId, type, credentialId, subject }: LockCommand,
): Promise<boolean> {
  let expiresAt: Date | null;
  if (type === "remove_credential" && credentialId !== null) {
    const where = { id: credentialId, state: "revoking" as const };
    if (!(await unit.db.credential.findFirst({ where, select: { id: true } }))) return false;
    expiresAt = await endAtLock(unit, credentialId);
  } else if (type === "block_card" || type === "allow_card") {
    const [risk] = await unit.sql.rows<{ end: string | null }>(
      `SELECT iso(k.ends_at) AS "end" FROM card_risk k JOIN card c ON c.id = k.card_id
        WHERE k.hotel_id = $1 AND k.lock_id = $2 AND 'card:' || c.uid = $3 ORDER BY k.ends_at DESC NULLS FIRST LIMIT 1`,
      lockId,
      subject,
    );
    if (!risk) return false;
    expiresAt = risk.end === null ? null : new Date(risk.end);
  } else return false;
  if (expiresAt !== null && expiresAt <= scope.now()) return false;
  await unit.db.lockCommand.updateMany({ where: { id }, data: { expiresAt } });
  return true;
}

/**
 * Fails an unanswered unlock on a lock of another make. Only locks of our own protocol execute a repeated command once;
 * others might open again when the person has left. The person at the door can ask again.
 */
async function giveUp(scope: Scope, unit: Unit, lock: Lock, command: LockCommand): Promise<void> {
  await countFailure(scope, unit, lock, "no_answer");
  await failCommand(scope, unit, lock, command, "no_answer");
}

async function giveWay(scope: Scope, unit: Unit, lock: Lock, { id }: LockCommand): Promise<void> {
  await unit.db.lockCommand.updateMany({
    where: { id, state: "sent" },
    data: { state: "superseded", endedAt: scope.now(), argsBox: null, error: "no_answer" },
  });
  await countUnlessAway(scope, unit, lock);
}

async function expire(scope: Scope, unit: Unit, lock: Lock, command: LockCommand): Promise<void> {
  const { id, state, type, credentialId } = command;
  const { count } = await unit.db.lockCommand.updateMany({
    where: { id, state },
    data: { state: "expired", endedAt: scope.now(), argsBox: null },
  });
  if (count > 0) measureEnd(scope, unit, command, "expired");
  if (state === "sent") await countUnlessAway(scope, unit, lock);
  if (type === "set_credential") await failCredential(unit, command, "no_answer");
  if (type !== "remove_credential" || credentialId === null || !knowsTime(lock.driver)) return;
  // The credential that the lock should have removed has expired there.
  await unit.sql.rows(
    `UPDATE credential t SET state = 'revoked' FROM lock l
      WHERE t.hotel_id = $1 AND t.id = $2::int AND t.state = 'revoking' AND l.id = t.lock_id
        AND ${END_AT_LOCK} <= $3::timestamptz RETURNING t.id`,
    credentialId,
    scope.now().toISOString(),
  );
  await settleCards(scope, unit);
}

async function countUnlessAway(scope: Scope, unit: Unit, lock: Lock): Promise<void> {
  if (!hasPresence(lock.driver) || lock.online) await countFailure(scope, unit, lock, "no_answer");
}
