import { MINUTE_MS } from "@innkey/shared/durations";
import type { StoredOpeningReason } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/locks";
import type { z } from "zod";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Channel, Scope } from "../../../kernel/scope.ts";
import { FREE_TEXTS, masked, type Transaction } from "../../../kernel/transaction.ts";
import { blockRevokedCards } from "../cards/refusals.ts";
import { credentialContent } from "../credentials/credential-content.ts";
import { enqueueRemoval, sendCredential } from "../credentials/credentials.ts";
import { enqueue, selectLockForUpdate, tryNow, withdrawal } from "../lock-commands/commands.ts";
import { enqueueForeignRemoval, isSameItem, storeUnmanaged, unmanagedOf } from "../lock-commands/compare-inventory.ts";
import { markResent, resolveFailures } from "../lock-commands/retry-commands.ts";
import { hasPresence } from "../lock-links/driver.ts";
import { configureLock } from "./configure.ts";
import { showTextInRooms } from "./lock-display-texts.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Time in milliseconds after which an unlock command expires, because a person would no longer be waiting at the door.
 */
const UNLOCK_MS = 30_000;

/** Returns the lock with its row locked. @throws not_found, also for a lock in a room that the caller may not see */
async function visibleLock(scope: Scope, tx: Transaction, lockId: number): Promise<Lock> {
  const lock = await selectLockForUpdate(tx, lockId);
  if (!lock || (scope.roomIds !== null && !(lock.roomId !== null && scope.seesRoom(lock.roomId)))) {
    throw new DomainError("not_found");
  }
  return lock;
}

/** What opened a door where no person could be asked why. */
const REASON_OF_CHANNEL: Record<Exclude<Channel, "console">, StoredOpeningReason> = {
  manage: "old_client",
  gateway: "api",
  guest: "guest_page",
  system: "home_assistant",
};

/**
 * Returns why a door is opened, or undefined for a room where nobody stays. @throws opening_reason_needed, naming the
 * room, for staff who gave none
 */
async function openingOf(
  scope: Scope,
  tx: Transaction,
  room: { id: number; name: string },
  { reason, note = "" }: Pick<Input<typeof schema.openDoorInput>, "reason" | "note">,
): Promise<{ reason: StoredOpeningReason; note: string } | undefined> {
  if (reason) return { reason, note };
  const [stay] = await tx.sql.rows<{ id: number }>(
    "SELECT id FROM occupancy WHERE hotel_id = $1 AND room_id = $2::int AND state = 'in_house' LIMIT 1",
    room.id,
  );
  if (!stay) return undefined;
  if (scope.channel === "console") throw new DomainError("opening_reason_needed", { roomName: room.name });
  return { reason: REASON_OF_CHANNEL[scope.channel], note };
}

/**
 * Commands a lock to open its door, which people call `name`. Returns the command's id. The caller has checked the
 * permission. @throws lock_offline for a lock that is offline
 */
export async function sendOpening(
  scope: Scope,
  tx: Transaction,
  lock: Lock,
  name: string,
  opening?: { reason: StoredOpeningReason; note: string },
): Promise<string> {
  if (hasPresence(lock.driver) && !lock.online) throw new DomainError("lock_offline", { roomName: name });
  await tryNow(scope, tx, lock.id);
  return enqueue(scope, tx, lock.id, {
    type: "unlock",
    subject: "unlock",
    args: {},
    opening,
    expiresAt: new Date(scope.now().getTime() + UNLOCK_MS),
  });
}

/**
 * Opens a room's door remotely. @throws no_permission, not_found; lock_missing, lock_offline for a lock that is
 * offline, or opening_reason_needed for a room where somebody stays, all naming the room
 */
export async function open(
  scope: Scope,
  input: Input<typeof schema.openDoorInput>,
): Promise<Input<typeof schema.commandQueued>> {
  scope.require("locks.open");
  return scope.write((tx) => openIn(scope, tx, input));
}

/** As `open`, within an existing transaction; the caller must have checked the permission. */
export async function openIn(
  scope: Scope,
  tx: Transaction,
  { roomId, ...why }: Input<typeof schema.openDoorInput>,
): Promise<Input<typeof schema.commandQueued>> {
  scope.requireRoom(roomId);
  const room = await tx.db.room.findFirst({
    where: { id: roomId, deletedAt: null },
    select: { name: true, lock: true },
  });
  if (!room) throw new DomainError("not_found");
  const { name: roomName, lock } = room;
  if (!lock) throw new DomainError("lock_missing", { roomName });
  if (hasPresence(lock.driver) && !lock.online) throw new DomainError("lock_offline", { roomName });
  const opening = await openingOf(scope, tx, { id: roomId, name: roomName }, why);
  const commandId = await sendOpening(scope, tx, lock, roomName, opening);
  const after = { roomId, commandId, ...(opening && masked({ ...opening }, FREE_TEXTS)) };
  tx.audit({ action: "lock.open", entity: "lock", entityId: lock.id, after });
  return { commandId, state: "queued" };
}

/**
 * Withdraws an opening that hasn't been sent. One that was sent is not sent again, but the lock may still carry it out.
 * @throws no_permission, not_found
 */
export async function cancelOpening(
  scope: Scope,
  { commandId }: Input<typeof schema.commandRef>,
): Promise<Input<typeof schema.openingCancelled>> {
  scope.require("locks.open");
  return scope.write(async (tx) => {
    const command = await tx.db.lockCommand.findFirst({ where: { id: commandId, type: "unlock" } });
    if (!command) throw new DomainError("not_found");
    const { roomId } = await visibleLock(scope, tx, command.lockId);
    // A worker may claim the command meanwhile: the row says whether it was in time.
    const [stopped] = await tx.sql.rows<{ state: "cancelled" | "sent"; mayOpen: boolean }>(
      `UPDATE lock_command k SET ${withdrawal("$3")}
       WHERE k.hotel_id = $1 AND k.id = $2::uuid AND k.state IN ('queued', 'sent')
       RETURNING k.state::text AS state, (k.state = 'sent' OR k.error IS NOT DISTINCT FROM 'no_answer') AS "mayOpen"`,
      commandId,
      scope.now().toISOString(),
    );
    if (!stopped) return { outcome: "ended", state: command.state };
    tx.audit({
      action: "lock.cancel_opening",
      entity: "lock",
      entityId: command.lockId,
      after: { roomId, commandId, state: stopped.state },
    });
    return { outcome: stopped.mayOpen ? "may_still_open" : "withdrawn", state: stopped.state };
  });
}

/** A lift of a block that didn't reach the lock in this time in milliseconds is given up: a later block may be another one. */
const LIFT_MS = 15 * MINUTE_MS;

/**
 * Commands a lock to let guests in again where a block-out card keeps them out. It is blocked until the lock confirms. A lock of our
 * own protocol may be blocked though it isn't marked, so it gets the command all the same. @throws no_permission, not_found;
 * state_conflict for a lock of another make, which can't be blocked
 */
export async function liftBlock(
  scope: Scope,
  { lockId }: Input<typeof schema.lockRef>,
): Promise<Input<typeof schema.commandQueued>> {
  scope.require("locks.open");
  return scope.write(async (tx) => {
    const { driver, roomId } = await visibleLock(scope, tx, lockId);
    if (driver !== "mqtt") throw new DomainError("state_conflict", { state: driver });
    await tryNow(scope, tx, lockId);
    const expiresAt = new Date(scope.now().getTime() + LIFT_MS);
    const lift = { type: "lift_block", subject: "lift_block", args: {}, expiresAt } as const;
    const commandId = await enqueue(scope, tx, lockId, lift);
    tx.audit({ action: "lock.lift_block", entity: "lock", entityId: lockId, after: { roomId, commandId } });
    return { commandId, state: "queued" };
  });
}

/** Shows a text on the lock displays of rooms and stores it as the rooms' bulletin. @throws no_permission, not_found */
export async function sendRoomDisplayText(
  scope: Scope,
  { roomIds, text }: Input<typeof schema.roomDisplayTextInput>,
): Promise<Input<typeof schema.roomDisplayTextSent>> {
  scope.require("locks.open");
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const { told: sentCount, cannot } = await scope.write((tx) => showTextInRooms(scope, tx, roomIds, text));
  return { sent: sentCount, withoutLock: cannot.map(({ roomName }) => roomName) };
}

/**
 * Closes the breaker, makes waiting commands due now and sends failed commands again. Returns the number of queued
 * commands. @throws no_permission, not_found
 */
export async function retry(
  scope: Scope,
  { lockId }: Input<typeof schema.lockRef>,
): Promise<Input<typeof schema.retryOutput>> {
  scope.require("locks.retry");
  return scope.write(async (tx) => {
    const { driver } = await visibleLock(scope, tx, lockId);
    if (driver === "mqtt" && (await setupFailed(tx, lockId))) {
      // The configuration includes the keys, the floors and most of the blocked cards.
      await configureLock(scope, tx, lockId);
      await blockRevokedCards(scope, tx, { lockNumber: lockId });
    }
    const lasting = { OR: [{ validTo: null }, { validTo: { gt: scope.now() } }] };
    const failed = await tx.db.credential.findMany({
      where: {
        lockId,
        OR: [
          { state: "failed", ...lasting },
          {
            state: "revoking",
            commands: { none: { state: { in: ["queued", "sent"] } } },
          },
        ],
      },
    });
    for (const credential of failed) {
      if (credential.state === "revoking") {
        await enqueueRemoval(scope, tx, credential);
        continue;
      }
      await tx.db.credential.update({ where: { id: credential.id }, data: { state: "queued", failReason: null } });
      await sendCredential(scope, tx, credential, await credentialContent(scope, tx, credential));
    }
    const retried = await tryNow(scope, tx, lockId);
    await markResent(tx, lockId);
    await resolveFailures(scope, tx, lockId);
    tx.audit({ action: "lock.retry", entity: "lock", entityId: lockId, after: { retried } });
    return { retried };
  });
}

/** Checks whether the latest configuration, floor or card block of a lock failed. */
async function setupFailed(tx: Transaction, lockId: number): Promise<boolean> {
  const [row] = await tx.sql.rows<{ failed: boolean }>(
    `SELECT EXISTS (SELECT FROM lock_command f
        WHERE f.hotel_id = $1 AND f.lock_id = $2 AND f.state = 'failed' AND f.type IN ('configure', 'raise_floor', 'block_card', 'allow_card')
          AND NOT EXISTS (SELECT FROM lock_command n
                WHERE n.lock_id = $2 AND n.subject IN (f.subject, 'configure') AND n.seq > f.seq AND n.state <> 'superseded')) AS failed`,
    lockId,
  );
  return row?.failed ?? false;
}

/** Sends a command that reads back a lock's credentials. @throws no_permission, not_found */
export async function readBack(
  scope: Scope,
  { lockId }: Input<typeof schema.lockRef>,
): Promise<Input<typeof schema.commandQueued>> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    await visibleLock(scope, tx, lockId);
    const commandId = await enqueue(scope, tx, lockId, { type: "read_back", subject: "read_back", args: {} });
    tx.audit({ action: "lock.readBack", entity: "lock", entityId: lockId });
    return { commandId, state: "queued" };
  });
}

/**
 * Adopts a foreign code or card, so that it is no longer reported, or removes it from its slot. @throws no_permission,
 * not_found
 */
export async function settleUnmanaged(
  scope: Scope,
  { lockId, act, ...key }: Input<typeof schema.unmanagedInput>,
): Promise<Input<typeof schema.lockRef>> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    const lock = await visibleLock(scope, tx, lockId);
    const items = unmanagedOf(lock);
    const { slot } = key;
    if (!items.some((item) => isSameItem(item, key))) throw new DomainError("not_found");
    if (act === "remove") {
      if (slot === null) throw new DomainError("not_found");
      await enqueueForeignRemoval(scope, tx, lockId, slot);
    } else {
      const updated = items.map((item) => (isSameItem(item, key) ? { ...item, adopted: true } : item));
      await storeUnmanaged(scope, tx, lock, updated);
    }
    tx.audit({ action: `lock.${act}Unmanaged`, entity: "lock", entityId: lockId, after: key });
    return { lockId };
  });
}
