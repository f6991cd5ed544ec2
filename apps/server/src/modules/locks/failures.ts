import type { LockErrorCode } from "@innkey/shared/enums";
import type { LockCommandName } from "@innkey/shared/locks/protocol";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";
import type { Lock, LockCommand } from "../../infra/database/generated/client.ts";
import { raiseMessage } from "../messages/raise.ts";
import { hasPresence, MAX_TRIES, NOTABLE_DRIFT_SECONDS } from "./claim.ts";
import { measureEnd } from "./command-measures.ts";
import { giveWayToNewer } from "./commands.ts";

/** Pauses before the second, third … try; each a fifth shorter or longer, so that locks don't come back in step. */
const PAUSES_SECONDS = [5, 15, 60, 300, 600];
const JITTER = 0.2;
/** Failures in a row after which a lock is left alone until it is seen again (source: domain rules, Credentials). */
const BREAKER = 3;
/** They take keys away: until a lock has done them, it may let somebody in. */
const TAKES_KEYS_AWAY: ReadonlySet<LockCommandName> = new Set([
  "remove_credential",
  "skip_code",
  "block_card",
  "allow_card",
  "raise_floor",
]);
/** A person waits for these and sees what became of them, or nothing hangs on them: no message is written. */
export const UNREPORTED: ReadonlySet<LockCommandName> = new Set(["unlock", "notice", "set_clock", "read_back"]);

const pauseMs = (tries: number): number => {
  const seconds = PAUSES_SECONDS[Math.min(tries, PAUSES_SECONDS.length) - 1] ?? 0;
  return seconds * 1000 * (1 - JITTER + 2 * JITTER * Math.random());
};

/**
 * Whether a command takes something away from who has it, so that it is never given up: also a new window that leaves out a
 * part of what the lock may have. A foreign slot is removed by hand, and shown until then.
 */
async function takesAway(unit: Unit, { type, credentialId }: LockCommand): Promise<boolean> {
  if (type !== "set_credential" || credentialId === null) {
    return TAKES_KEYS_AWAY.has(type) && (type !== "remove_credential" || credentialId !== null);
  }
  const has = await unit.db.credential.findFirst({ where: { id: credentialId } });
  if (!has || has.atLockFrom === null) return false;
  const beginsLater = has.atLockFrom < has.validFrom;
  return beginsLater || (has.validTo !== null && (has.atLockTo === null || has.atLockTo > has.validTo));
}

/**
 * Whether a lock's answer means: later. It is busy; its clock is known to be off, so that it takes what is new for old; or
 * it is full, and what is to be taken away must be taken away all the same.
 */
export async function isForLater(unit: Unit, lock: Lock, command: LockCommand, error: LockErrorCode): Promise<boolean> {
  if (error === "busy") return true;
  if (error === "refused") {
    return command.type !== "set_clock" && Math.abs(lock.driftSeconds ?? 0) > NOTABLE_DRIFT_SECONDS;
  }
  return error === "full" && takesAway(unit, command);
}

/** Answers of a lock that is there: it has not failed. */
const PUT_OFF: ReadonlySet<LockErrorCode> = new Set(["busy", "full", "refused"]);

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
 * has not failed. What takes a key away is never given up, and operators hear of it after many tries. Behind an open breaker it stays due, so that it is tried as soon as the breaker closes.
 */
export async function putBack(
  scope: Scope,
  unit: Unit,
  lock: Lock,
  command: LockCommand,
  error: LockErrorCode,
): Promise<void> {
  const away = hasPresence(lock.driver) && !lock.online;
  const waits = !away && (PUT_OFF.has(error) ? false : await countFailure(scope, unit, lock, error));
  if (!away && command.tries >= MAX_TRIES && (error === "no_answer" || PUT_OFF.has(error))) {
    if (!(await takesAway(unit, command))) return failCommand(scope, unit, lock, command, error);
    if (command.tries % MAX_TRIES === 0) await report(scope, unit, lock, command, error);
  }
  const dueAt = scope.now().getTime() + (away || (waits && hasPresence(lock.driver)) ? 0 : pauseMs(command.tries));
  await unit.db.lockCommand.updateMany({
    where: { id: command.id, state: "sent" },
    data: { state: "queued", nextTryAt: new Date(dueAt), error: away ? "offline" : error },
  });
  if (command.tries >= MAX_TRIES) await giveWayToNewer(scope, unit, lock.id);
}

/** A command that will not be tried again. Its credential says why; one being taken back stays so, since it may still open. */
export async function failCommand(
  scope: Scope,
  unit: Unit,
  lock: Lock,
  command: LockCommand,
  error: LockErrorCode,
): Promise<void> {
  const now = scope.now();
  const { count } = await unit.db.lockCommand.updateMany({
    where: { id: command.id, state: { in: ["queued", "sent"] } },
    data: { state: "failed", error, endedAt: now, argsBox: null },
  });
  if (count === 0) return;
  measureEnd(scope, unit, command, "failed");
  await unit.db.lock.update({ where: { id: lock.id }, data: { lastError: error } });
  await failCredential(unit, command, error);
  await report(scope, unit, lock, command, error, now);
}

async function report(
  scope: Scope,
  unit: Unit,
  { id: lockId, roomId }: Lock,
  { type }: LockCommand,
  error: LockErrorCode,
  at = scope.now(),
): Promise<void> {
  if (UNREPORTED.has(type)) return;
  await raiseMessage(scope, unit, { kind: "command_failed", lockId, roomId, params: { error, type }, at });
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
