import type { LockErrorCode } from "@innkey/shared/enums";
import { type AckMessage, type LockArgs, type LockCommandName, lockArgs } from "@innkey/shared/locks/protocol";
import type { Lock, LockCommand } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { resolveAlerts } from "../../messaging/public.ts";
import { updateRewriteMarks } from "../cards/rewrites.ts";
import { credentialContent } from "../credentials/credential-content.ts";
import { HOURS_CONFIRMED, sendCredential } from "../credentials/credentials.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { epochOf } from "../locks/configure.ts";
import { endBlockOut, markLockSeen } from "../locks/presence.ts";
import { resolveReusableCodes } from "../passcodes/one-time.ts";
import { confirmLockZones } from "../zones/lock-zones.ts";
import { enqueue, measureEnd, openArgs, selectLockForUpdate, TAKE_OVER, tryNow, wakeWorkers } from "./commands.ts";

import { compareInventory, removeUnmanaged } from "./compare-inventory.ts";
import { failCommand, isNewestOfSubject, requeueOrFail, resolveFailures, shouldTryLater } from "./retry-commands.ts";

/**
 * Stores the effects of a command. Until the lock has acknowledged the command, nothing in the database shows them.
 */
async function applyEffect(
  scope: Scope,
  tx: Transaction,
  lock: Lock,
  command: LockCommand,
  ack: AckMessage,
): Promise<void> {
  switch (command.type) {
    case "set_credential":
      return confirmCredential(scope, tx, command);
    case "remove_credential":
    case "skip_code":
      return applyRemoval(scope, tx, lock, command);
    case "raise_floor":
      return raiseStoredMinSequence(scope, tx, lock, argsOf(scope, command, "raise_floor").floor);
    case "block_card":
    case "allow_card":
      return settleCards(scope, tx);
    case "configure":
      return applyConfiguration(scope, tx, lock, argsOf(scope, command, "configure"));
    case "set_clock":
      await tx.db.lock.update({ where: { id: lock.id }, data: { driftSeconds: 0 } });
      // Commands that the lock refused because of its clock need not wait for their next try.
      await tryNow(scope, tx, lock.id);
      await resolveAlerts(scope, tx, { kind: "clock_drift", lockId: lock.id });
      return;
    case "lift_block":
      // A block that began after the command was given is another one; the lock reports its end.
      if (lock.blockedOutAt !== null && lock.blockedOutAt <= command.createdAt) await endBlockOut(scope, tx, lock);
      return;
    case "read_back":
      return compareInventory(scope, tx, lock, ack.held, { isTakeOver: command.subject === TAKE_OVER });
  }
}

function argsOf<T extends LockCommandName>(scope: Scope, command: LockCommand, type: T): LockArgs[T] {
  return lockArgs[type].parse(openArgs(scope, command)) as LockArgs[T];
}

async function confirmCredential(scope: Scope, tx: Transaction, command: LockCommand): Promise<void> {
  const { credentialId: id } = command;
  if (id === null) return;
  await storeWindowAtLock(scope, tx, id, command);
  if (!(await isNewestOfSubject(tx, command))) return;
  await tx.db.credential.updateMany({ where: { id }, data: HOURS_CONFIRMED });
  await tx.db.credential.updateMany({
    where: { id, state: { in: ["queued", "sent", "failed"] } },
    data: { state: "confirmed", confirmedAt: scope.now(), failReason: null },
  });
}

/**
 * Records the window that the lock now has. If the command has ended and its arguments are gone, the row's window is
 * used.
 */
async function storeWindowAtLock(scope: Scope, tx: Transaction, id: number, command: LockCommand): Promise<void> {
  if (command.argsBox) {
    const { validFrom, validTo } = argsOf(scope, command, "set_credential");
    const data = { atLockFrom: new Date(validFrom), atLockTo: validTo === null ? null : new Date(validTo) };
    await tx.db.credential.updateMany({ where: { id }, data });
    return;
  }
  await tx.sql.rows(
    "UPDATE credential SET at_lock_from = valid_from, at_lock_to = valid_to WHERE hotel_id = $1 AND id = $2::int RETURNING id",
    id,
  );
}

async function applyRemoval(scope: Scope, tx: Transaction, lock: Lock, command: LockCommand): Promise<void> {
  const { credentialId: id } = command;
  if (command.type === "remove_credential") await sendToFreeSlot(scope, tx, lock.id);
  if (id === null) return removeUnmanaged(scope, tx, lock, argsOf(scope, command, "remove_credential").slot);
  await tx.db.credential.updateMany({ where: { id }, data: { atLockFrom: null, atLockTo: null, ...HOURS_CONFIRMED } });
  if (!(await isNewestOfSubject(tx, command))) return;
  await tx.db.credential.updateMany({
    where: { id, state: "revoking" },
    data: { state: "revoked", failReason: null },
  });
  await settleCards(scope, tx);
}

/**
 * The lock has a free slot again, so the oldest valid credential that failed with "full" is sent again, or one whose code
 * was that of another key.
 */
async function sendToFreeSlot(scope: Scope, tx: Transaction, lockId: number): Promise<void> {
  const credential = await tx.db.credential.findFirst({
    where: {
      ...{ lockId, state: "failed", failReason: { in: ["full", "duplicate"] } },
      OR: [{ validTo: null }, { validTo: { gt: scope.now() } }],
    },
    orderBy: { id: "asc" },
  });
  if (!credential) return;
  const { id } = credential;
  await tx.db.credential.update({ where: { id }, data: { state: "queued", failReason: null } });
  await sendCredential(scope, tx, credential, await credentialContent(scope, tx, credential));
}

async function raiseStoredMinSequence(scope: Scope, tx: Transaction, lock: Lock, floor: number): Promise<void> {
  await tx.db.lock.update({ where: { id: lock.id }, data: { guestFloor: Math.max(lock.guestFloor, floor) } });
  await settleCards(scope, tx);
  if (lock.roomId !== null && floor > lock.guestFloor) await updateRewriteMarks(scope, tx, [lock.roomId]);
}

async function applyConfiguration(
  scope: Scope,
  tx: Transaction,
  lock: Lock,
  args: LockArgs["configure"],
): Promise<void> {
  const { keys, guestFloor, sequenceEpoch } = args;
  const profileId = Math.max(...keys.map(({ id }) => id));
  if (!lock.configuredAt && lock.roomId !== null) tx.boardChanged([lock.roomId]);
  await tx.db.lock.update({ where: { id: lock.id }, data: { configuredAt: scope.now(), resetAt: null, profileId } });
  const zones = keys.flatMap((generation) => (generation.cipher === "aes" ? generation.zones : []));
  await confirmLockZones(scope, tx, lock.id, [...new Set(zones.map(({ zone }) => zone))]);
  // If the sequence was reset since the command was written, the command's minimum sequence no longer applies.
  if (sequenceEpoch === epochOf(lock)) await raiseStoredMinSequence(scope, tx, lock, guestFloor);
  else await settleCards(scope, tx);
}

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
const UNREACHED_ERRORS: ReadonlySet<LockErrorCode> = new Set(["offline", "gateway"]);

/**
 * Processes a lock's answer to a command. A repeated answer changes nothing. A late confirmation counts only if no
 * newer command has the same subject. Wakes the workers if commands are still queued for the lock.
 */
export async function handleAnswer(scope: Scope, tx: Transaction, lockId: number, ack: AckMessage): Promise<void> {
  const lockRow = await selectLockForUpdate(tx, lockId);
  if (!lockRow) return;
  const command = await tx.db.lockCommand.findFirst({ where: { id: ack.id, lockId } });
  if (!command) return;
  const error = errorOf(command, ack);
  const isUnreached = error !== null && UNREACHED_ERRORS.has(error);
  const lock = isUnreached ? lockRow : await markLockSeen(scope, tx, lockRow);
  const isOpen = command.state === "queued" || command.state === "sent";
  if (error === null) {
    if (isOpen || (await isLateConfirmation(tx, command))) await acknowledge(scope, tx, lock, command, ack);
  } else if (isOpen) {
    if (isUnreached || (await shouldTryLater(tx, lock, command, error)))
      await requeueOrFail(scope, tx, lock, command, error);
    else await failRefused(scope, tx, lock, command, error);
  }
  const next = await tx.db.lockCommand.findFirst({ where: { lockId, state: "queued" }, select: { id: true } });
  if (next) await wakeWorkers(tx, [lockId]);
}

/** Returns null if the lock is in the state that the command requested, even if it was in that state before. */
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
  return ended && LATE_CONFIRMATIONS.has(command.type) && (await isNewestOfSubject(tx, command));
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
  await applyEffect(scope, tx, lock, command, ack);
  await resolveFailures(scope, tx, lock.id);
  await resolveReusableCodes(scope, tx, lock.id);
}

async function failRefused(
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
