import type { LockErrorCode } from "@innkey/shared/enums";
import type { LockCommandName } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Lock, LockCommand } from "../../infra/database/generated/client.ts";
import { raiseMessage } from "../messages/raise.ts";
import { hasPresence } from "./claim.ts";
import { measureEnd } from "./command-measures.ts";

/** Pauses before the second, third … try; each a fifth shorter or longer, so that locks don't come back in step. */
const PAUSES_SECONDS = [5, 15, 60, 300, 600];
const JITTER = 0.2;
/** Failures in a row after which a lock is left alone until it is seen again (source: domain rules, Credentials). */
const BREAKER = 3;
/** Tries that a lock which is there may leave unanswered, or put off, before a command counts as failed. */
export const MOST_TRIES = 8;
/** A person waits for these and sees what became of them, or nothing hangs on them: no message is written. */
export const UNREPORTED: ReadonlySet<LockCommandName> = new Set(["unlock", "notice", "set_clock", "read_back"]);

const pauseMs = (tries: number): number => {
  const seconds = PAUSES_SECONDS[Math.min(tries, PAUSES_SECONDS.length) - 1] ?? 0;
  return seconds * 1000 * (1 - JITTER + 2 * JITTER * Math.random());
};

/** Whether nothing newer was said about what a command is about. */
export async function isNewest(unit: Unit, { lockId, subject, seq }: LockCommand): Promise<boolean> {
  const where = { lockId, subject, seq: { gt: seq } };
  return (await unit.db.lockCommand.findFirst({ where, select: { id: true } })) === null;
}

/** One more failure of a lock in a row. Returns whether its breaker is open now. */
export async function countFailure(scope: Scope, unit: Unit, lock: Lock, error: LockErrorCode): Promise<boolean> {
  const failures = lock.failures + 1;
  const opens = failures >= BREAKER && lock.breakerOpenedAt === null;
  await unit.db.lock.update({
    where: { id: lock.id },
    data: { failures, lastError: error, ...(opens && { breakerOpenedAt: scope.now() }) },
  });
  return opens || lock.breakerOpenedAt !== null;
}

/**
 * A command that did not get through, or was not answered, goes back into its row for a later try. A lock that is away
 * has not failed. Behind an open breaker it stays due, so that it is tried as soon as the breaker closes.
 */
export async function putBack(
  scope: Scope,
  unit: Unit,
  lock: Lock,
  command: LockCommand,
  error: LockErrorCode,
): Promise<void> {
  const away = hasPresence(lock.driver) && !lock.online;
  const waits = !away && (error === "busy" ? false : await countFailure(scope, unit, lock, error));
  const exhausted = !away && command.tries >= MOST_TRIES && (error === "no_answer" || error === "busy");
  if (exhausted) return failCommand(scope, unit, lock, command, error);
  const dueAt = scope.now().getTime() + (away || (waits && hasPresence(lock.driver)) ? 0 : pauseMs(command.tries));
  await unit.db.lockCommand.updateMany({
    where: { id: command.id, state: "sent" },
    data: { state: "queued", nextTryAt: new Date(dueAt), error: away ? "offline" : error },
  });
}

/** A command that will not be tried again. Its credential says why; one being taken back stays so, since it may still open. */
export async function failCommand(
  scope: Scope,
  unit: Unit,
  lock: Lock,
  command: LockCommand,
  error: LockErrorCode,
): Promise<void> {
  const { count } = await unit.db.lockCommand.updateMany({
    where: { id: command.id, state: { in: ["queued", "sent"] } },
    data: { state: "failed", error, endedAt: scope.now(), argsBox: null },
  });
  if (count === 0) return;
  measureEnd(scope, unit, command, "failed");
  await unit.db.lock.update({ where: { id: lock.id }, data: { lastError: error } });
  await failCredential(unit, command, error);
  if (UNREPORTED.has(command.type)) return;
  await raiseMessage(scope, unit, {
    kind: "command_failed",
    lockId: lock.id,
    roomId: lock.roomId,
    params: { error, type: command.type },
  });
}

/** The credential of a command that came to nothing, unless something newer was said about it. */
export async function failCredential(unit: Unit, command: LockCommand, failReason: LockErrorCode): Promise<void> {
  const { credentialId: id, type } = command;
  if (id === null || !(await isNewest(unit, command))) return;
  if (type === "set_credential") {
    const where = { id, state: { in: ["queued" as const, "sent" as const] } };
    await unit.db.credential.updateMany({ where, data: { state: "failed", failReason } });
  } else {
    await unit.db.credential.updateMany({ where: { id, state: "revoking" }, data: { failReason } });
  }
}
