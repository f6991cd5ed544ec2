import type { LockErrorCode } from "@innkey/shared/enums";
import type { LockCommandName } from "@innkey/shared/locks/protocol";
import type { Lock, LockCommand } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { addAlertParams, raiseAlert, resolveAlerts } from "../../messaging/public.ts";
import { END_AT_LOCK, endAtLock } from "../credentials/credentials.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { hasPresence, removesExpiredCredentials } from "../lock-links/driver.ts";
import { MAX_TRIES, measureEnd, NOTABLE_DRIFT_SECONDS, selectLockForUpdate, supersedeLowPriority } from "./commands.ts";

/** Pauses in seconds before the second, third … try. Each varies by a fifth, so that retries of locks spread out. */
const RETRY_PAUSES_SECONDS = [5, 15, 60, 300, 600];
const JITTER = 0.2;
/**
 * Failures in a row after which a lock counts as unreachable. One whose driver reports presence gets no more commands
 * until it is seen again: its breaker opens. Any other is shown as offline and still tried.
 */
const FAILURES_UNTIL_UNREACHABLE = 3;
/** Commands that revoke access: until the lock has executed them, it may open for a person whose access has ended. */
const REVOKING_COMMANDS: ReadonlySet<LockCommandName> = new Set([
  "remove_credential",
  "skip_code",
  "block_card",
  "allow_card",
  "raise_floor",
]);
/**
 * Commands whose failure raises no alert, because a person waits for the result and sees it, or nothing depends on it.
 */
export const COMMANDS_WITHOUT_ALERT: ReadonlySet<LockCommandName> = new Set([
  "unlock",
  "notice",
  "set_clock",
  "read_back",
]);

const pauseMs = (tries: number): number => {
  const seconds = RETRY_PAUSES_SECONDS[Math.min(tries, RETRY_PAUSES_SECONDS.length) - 1] ?? 0;
  return seconds * 1000 * (1 - JITTER + 2 * JITTER * Math.random());
};

/**
 * Checks whether a command revokes access, so that it must be retried until it succeeds. This includes a new window that
 * is shorter than the one the lock may have. A key in the lock that this console did not issue is excluded: staff remove
 * it by hand, and it stays listed until then.
 */
async function revokesAccess(tx: Transaction, { type, credentialId }: LockCommand): Promise<boolean> {
  if (type !== "set_credential" || credentialId === null) {
    return REVOKING_COMMANDS.has(type) && (type !== "remove_credential" || credentialId !== null);
  }
  const credential = await tx.db.credential.findFirst({ where: { id: credentialId } });
  if (!credential || credential.atLockFrom === null) return false;
  const { atLockFrom, atLockTo, validFrom, validTo } = credential;
  return atLockFrom < validFrom || (validTo !== null && (atLockTo === null || atLockTo > validTo));
}

/**
 * Checks whether a command should be tried again later: the lock is busy, it refuses because its clock is wrong, or it is
 * full and the command revokes access, which can't be given up.
 */
export async function shouldTryLater(
  tx: Transaction,
  lock: Lock,
  command: LockCommand,
  error: LockErrorCode,
): Promise<boolean> {
  if (error === "busy") return true;
  if (error === "refused") {
    return command.type !== "set_clock" && Math.abs(lock.driftSeconds ?? 0) > NOTABLE_DRIFT_SECONDS;
  }
  return error === "full" && revokesAccess(tx, command);
}

/** Errors from a lock that is reachable, so they don't count as failures of the lock. */
const REACHABLE_LOCK_ERRORS: ReadonlySet<LockErrorCode> = new Set(["busy", "full", "refused"]);

/** Checks whether no newer command has the same subject. */
export async function isNewestOfSubject(tx: Transaction, { lockId, subject, seq }: LockCommand): Promise<boolean> {
  const where = { lockId, subject, seq: { gt: seq } };
  return (await tx.db.lockCommand.findFirst({ where, select: { id: true } })) === null;
}

/** Checks whether the lock counts as unreachable once one more failure in a row is counted. */
const isUnreachableAfterFailure = ({ failures }: Lock): boolean => failures + 1 >= FAILURES_UNTIL_UNREACHABLE;

/** Counts one more failure in a row. If the lock then counts as unreachable, opens its breaker or marks it as offline. */
async function countFailure(scope: Scope, tx: Transaction, lock: Lock, error: LockErrorCode): Promise<void> {
  const isUnreachable = isUnreachableAfterFailure(lock);
  const opensBreaker = isUnreachable && hasPresence(lock.driver) && lock.breakerOpenedAt === null;
  const goesOffline = isUnreachable && !hasPresence(lock.driver) && lock.online;
  await tx.db.lock.update({
    where: { id: lock.id },
    data: {
      failures: lock.failures + 1,
      lastError: error,
      ...(opensBreaker && { breakerOpenedAt: scope.now() }),
      ...(goesOffline && { online: false }),
    },
  });
  if (goesOffline && lock.roomId !== null) tx.boardChanged([lock.roomId]);
}

/**
 * Queues a command again. One that was not delivered is retried until it expires. One that was not answered, or that the
 * lock put off, fails after `MAX_TRIES`, unless it revokes access: then it is retried without limit, and staff get an
 * alert. If the lock is known to be offline, nothing is counted as a failure. Behind an open breaker the command stays
 * due, so that it is tried as soon as the breaker closes. Changes nothing if the command is no longer sent, for example
 * because an earlier result of the same try was stored.
 */
export async function requeueOrFail(
  scope: Scope,
  tx: Transaction,
  lock: Lock,
  command: LockCommand,
  error: LockErrorCode,
): Promise<void> {
  if (command.state !== "sent") return;
  const isOffline = hasPresence(lock.driver) && !lock.online;
  const isFailure = !isOffline && !REACHABLE_LOCK_ERRORS.has(error);
  const hasNoTriesLeft =
    !isOffline && command.tries >= MAX_TRIES && (error === "no_answer" || REACHABLE_LOCK_ERRORS.has(error));
  if (hasNoTriesLeft && !(await revokesAccess(tx, command))) {
    if ((await failCommand(scope, tx, lock, command, error)) && isFailure) await countFailure(scope, tx, lock, error);
    return;
  }
  const isDueNow = isOffline || (isFailure && isUnreachableAfterFailure(lock) && hasPresence(lock.driver));
  const nextTryMs = scope.now().getTime() + (isDueNow ? 0 : pauseMs(command.tries));
  const { count } = await tx.db.lockCommand.updateMany({
    where: { id: command.id, state: "sent" },
    data: { state: "queued", nextTryAt: new Date(nextTryMs), error: isOffline ? "offline" : error },
  });
  if (count === 0) return;
  if (isFailure) await countFailure(scope, tx, lock, error);
  if (hasNoTriesLeft && command.tries % MAX_TRIES === 0) await raiseFailedAlert(scope, tx, lock, command, error);
  if (command.tries >= MAX_TRIES) await supersedeLowPriority(scope, tx, lock.id);
}

/**
 * Ends a command for good and stores the reason on its credential. A credential being revoked keeps that state, since
 * it may still open the door. Returns false and changes nothing if the command had already ended.
 */
export async function failCommand(
  scope: Scope,
  tx: Transaction,
  lock: Lock,
  command: LockCommand,
  error: LockErrorCode,
): Promise<boolean> {
  const now = scope.now();
  const { count } = await tx.db.lockCommand.updateMany({
    where: { id: command.id, state: { in: ["queued", "sent"] } },
    data: { state: "failed", error, endedAt: now, argsBox: null },
  });
  // A driver may report a failure after the command has ended, for example because the lock's answer came first.
  if (count === 0) return false;
  measureEnd(scope, tx, command, "failed");
  await tx.db.lock.update({ where: { id: lock.id }, data: { lastError: error } });
  await failCredential(tx, command, error);
  await raiseFailedAlert(scope, tx, lock, command, error, now);
  return true;
}

async function raiseFailedAlert(
  scope: Scope,
  tx: Transaction,
  { id: lockId, roomId }: Lock,
  { type }: LockCommand,
  error: LockErrorCode,
  at = scope.now(),
): Promise<void> {
  if (COMMANDS_WITHOUT_ALERT.has(type)) return;
  await raiseAlert(scope, tx, { kind: "command_failed", lockId, roomId, params: { error, type }, at });
}

/** Marks the credential of a failed command, unless a newer command has the same subject. */
async function failCredential(tx: Transaction, command: LockCommand, failReason: LockErrorCode): Promise<void> {
  const { credentialId: id, type } = command;
  if (id === null || !(await isNewestOfSubject(tx, command))) return;
  if (type === "set_credential") {
    const where = { id, state: { in: ["queued" as const, "sent" as const] } };
    await tx.db.credential.updateMany({ where, data: { state: "failed", failReason } });
  } else {
    await tx.db.credential.updateMany({ where: { id, state: "revoking" }, data: { failReason } });
  }
}

/**
 * Resolves the alert that a lock did not execute a command, in either of two cases. In the first, every command that
 * failed since the alert was raised succeeded later or no longer matters, and no waiting one has reached the limit of
 * tries. In the second, staff had the lock's commands sent again and all of them have ended. A successful configure also
 * covers a failed raise_floor.
 */
export async function resolveFailures(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  const [alert] = await tx.sql.prepared<{ isSettled: boolean }>(
    "settled-failures",
    `SELECT (m.params ? 'resent' AND NOT EXISTS (SELECT FROM lock_command w
                WHERE w.lock_id = $2 AND w.state IN ('queued', 'sent') AND NOT (w.type::text = ANY ($3::text[]))))
         OR NOT EXISTS (SELECT FROM lock_command f
                WHERE f.lock_id = $2 AND f.state = 'failed' AND f.ended_at >= m.first_at AND NOT (f.type::text = ANY ($3::text[]))
                  -- An expired command no longer matters, unless the lock may still open for a key that it should revoke.
                  AND (f.expires_at IS NULL OR f.expires_at > $4::timestamptz
                    OR EXISTS (SELECT FROM credential t WHERE t.id = f.credential_id AND t.state = 'revoking')
                    OR EXISTS (SELECT FROM card c WHERE c.id = f.card_id AND c.state = 'revoking'))
                  -- Its credential has ended, or the lock has it after all.
                  AND NOT EXISTS (SELECT FROM credential t WHERE t.id = f.credential_id
                        AND (t.state = 'revoked' OR (t.state IN ('confirmed', 'used') AND f.type = 'set_credential')))
                  -- A later command about the same thing succeeded.
                  AND NOT EXISTS (SELECT FROM lock_command d
                        WHERE d.lock_id = $2 AND (d.subject = f.subject OR d.type = 'configure' AND f.type = 'raise_floor')
                          AND d.seq > f.seq AND d.state = 'acknowledged'))
            -- No command is being retried beyond the limit of tries.
            AND NOT EXISTS (SELECT FROM lock_command w
                  WHERE w.lock_id = $2 AND w.state IN ('queued', 'sent') AND w.tries >= ${MAX_TRIES} AND NOT (w.type::text = ANY ($3::text[])))
       AS "isSettled"
       FROM alert m
      WHERE m.hotel_id = $1 AND m.lock_id = $2 AND m.kind = 'command_failed' AND m.resolved_at IS NULL`,
    lockId,
    [...COMMANDS_WITHOUT_ALERT],
    scope.now().toISOString(),
  );
  if (alert?.isSettled) await resolveAlerts(scope, tx, { kind: "command_failed", lockId });
}

/**
 * Marks the alert after staff had the commands sent again. The next failure removes the mark, because `raiseAlert`
 * replaces the parameters.
 */
export async function markResent(tx: Transaction, lockId: number): Promise<void> {
  await addAlertParams(tx, { kind: "command_failed", lockId }, { resent: 1 });
}

/**
 * Processes a lock's commands that expired or were not answered in time. An unanswered command goes back into the
 * queue, unless a newer command has the same subject; then the newer one replaces it. An unlock at a lock of another make
 * fails instead: nobody waits at the door any more.
 */
export async function handleOverdue(
  scope: Scope,
  tx: Transaction,
  lockId: number,
  ids: readonly string[],
): Promise<void> {
  const now = scope.now();
  if (!(await selectLockForUpdate(tx, lockId))) return;
  const commands = await tx.db.lockCommand.findMany({
    where: { lockId, id: { in: [...ids] }, state: { in: ["queued", "sent"] } },
    orderBy: { seq: "asc" },
  });
  for (const command of commands) {
    const lock = await tx.db.lock.findFirstOrThrow({ where: { id: lockId } });
    const isUnanswered = command.state === "sent";
    if (isUnanswered && command.nextTryAt > now) continue;
    const isOver =
      command.expiresAt !== null && command.expiresAt <= now && !(await extendRevocation(scope, tx, command));
    if (isOver) await expireCommand(scope, tx, lock, command);
    else if (isUnanswered && command.type === "unlock" && !hasPresence(lock.driver))
      await failUnlock(scope, tx, lock, command);
    else if (isUnanswered && (await isNewestOfSubject(tx, command)))
      await requeueOrFail(scope, tx, lock, command, "no_answer");
    else if (isUnanswered) await supersedeUnanswered(scope, tx, lock, command);
  }
}

/**
 * Extends a revocation command for as long as the lock may accept the key. That can be longer than first assumed if the
 * lock's clock turned out to be slow or the lock was silent for long. Returns whether the command was extended.
 */
async function extendRevocation(
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
 * others might open again when the person has left. Whoever is at the door can have it opened again.
 */
async function failUnlock(scope: Scope, tx: Transaction, lock: Lock, command: LockCommand): Promise<void> {
  if (await failCommand(scope, tx, lock, command, "no_answer")) await countFailure(scope, tx, lock, "no_answer");
}

async function supersedeUnanswered(scope: Scope, tx: Transaction, lock: Lock, { id }: LockCommand): Promise<void> {
  const { count } = await tx.db.lockCommand.updateMany({
    where: { id, state: "sent" },
    data: { state: "superseded", endedAt: scope.now(), argsBox: null, error: "no_answer" },
  });
  if (count > 0) await countFailureUnlessOffline(scope, tx, lock);
}

async function expireCommand(scope: Scope, tx: Transaction, lock: Lock, command: LockCommand): Promise<void> {
  const { id, state, type, credentialId } = command;
  // The count is 0 if a worker claimed the queued command after it was read: claiming takes no lock on the lock's row.
  const { count } = await tx.db.lockCommand.updateMany({
    where: { id, state },
    data: { state: "expired", endedAt: scope.now(), argsBox: null },
  });
  if (count === 0) return;
  measureEnd(scope, tx, command, "expired");
  if (state === "sent") await countFailureUnlessOffline(scope, tx, lock);
  if (type === "set_credential") await failCredential(tx, command, "no_answer");
  if (type !== "remove_credential" || credentialId === null || !removesExpiredCredentials(lock.driver)) return;
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

async function countFailureUnlessOffline(scope: Scope, tx: Transaction, lock: Lock): Promise<void> {
  if (!hasPresence(lock.driver) || lock.online) await countFailure(scope, tx, lock, "no_answer");
}
