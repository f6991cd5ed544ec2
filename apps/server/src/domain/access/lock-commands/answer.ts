import type { LockErrorCode } from "@innkey/shared/enums";
import type { AckMessage } from "@innkey/shared/locks/protocol";
import type { Lock, LockCommand } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { noteLockSeen } from "../locks/presence.ts";
import { selectLockForUpdate } from "../locks/select-lock-for-update.ts";
import { takeEffect } from "./answer-effects.ts";
import { resolveCodesAgain } from "./codes-again.ts";
import { enqueue, measureEnd, wake } from "./commands.ts";

import { resolveFailures } from "./failed-commands.ts";
import { failCommand, isForLater, isNewest, putBack } from "./failures.ts";

/** Commands whose effect is clear without their arguments, so that even a late answer can be processed. */
const LATE_CONFIRMATIONS: ReadonlySet<string> = new Set([
  "set_credential",
  "remove_credential",
  "skip_code",
  "block_card",
  "allow_card",
  "unlock",
]);

/** Errors reported by the gateway or driver, not the lock: the command did not reach the lock. */
const UNREACHED: ReadonlySet<LockErrorCode> = new Set(["offline", "gateway"]);

/**
 * Processes a lock's answer to a command. A repeated answer changes nothing. A late confirmation counts only if no
 * newer command has the same subject. Wakes the workers if commands are still queued for the lock.
 */
export async function takeAnswer(scope: Scope, tx: Transaction, lockId: number, ack: AckMessage): Promise<void> {
  const lockRow = await selectLockForUpdate(tx, lockId);
  if (!lockRow) return;
  const command = await tx.db.lockCommand.findFirst({ where: { id: ack.id, lockId } });
  if (!command) return;
  const error = errorOf(command, ack);
  const unreached = error !== null && UNREACHED.has(error);
  const lock = unreached ? lockRow : await noteLockSeen(scope, tx, lockRow);
  const open = command.state === "queued" || command.state === "sent";
  if (error === null) {
    if (open || (await isLateConfirmation(tx, command))) await acknowledge(scope, tx, lock, command, ack);
  } else if (open) {
    if (unreached || (await isForLater(tx, lock, command, error))) await putBack(scope, tx, lock, command, error);
    else await refuse(scope, tx, lock, command, error);
  }
  const next = await tx.db.lockCommand.findFirst({ where: { lockId, state: "queued" }, select: { id: true } });
  if (next) await wake(tx, [lockId]);
}

/** Returns null if the lock is in the state that the command asked for, even if it was so before. */
function errorOf(
  { type, credentialId }: LockCommand,
  { ok, error = "internal", slot }: AckMessage,
): LockErrorCode | null {
  if (ok) return null;
  if (error === "duplicate" && type === "set_credential" && slot === credentialId) return null;
  if (error === "not_found" && (type === "remove_credential" || type === "allow_card")) return null;
  return error;
}

async function isLateConfirmation(tx: Transaction, command: LockCommand): Promise<boolean> {
  const ended = command.state === "failed" || command.state === "expired";
  return ended && LATE_CONFIRMATIONS.has(command.type) && (await isNewest(tx, command));
}

async function acknowledge(
  scope: Scope,
  tx: Transaction,
  lock: Lock,
  command: LockCommand,
  ack: AckMessage,
): Promise<void> {
  const { count } = await tx.db.lockCommand.updateMany({
    where: { id: command.id, state: command.state },
    data: { state: "acknowledged", endedAt: scope.now(), argsBox: null, error: null },
  });
  if (count === 0) return;
  measureEnd(scope, tx, command, "acknowledged");
  await takeEffect(scope, tx, lock, command, ack);
  await resolveFailures(scope, tx, lock.id);
  await resolveCodesAgain(scope, tx, lock.id);
}

async function refuse(
  scope: Scope,
  tx: Transaction,
  lock: Lock,
  command: LockCommand,
  error: LockErrorCode,
): Promise<void> {
  await failCommand(scope, tx, lock, command, error);
  // Until the lock has listed its credentials, we can't tell whether the existing one was issued by this console.
  if (error === "duplicate") {
    await enqueue(scope, tx, lock.id, { type: "read_back", subject: "read_back", args: {} });
  }
}
