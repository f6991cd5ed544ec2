import { randomBytes } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import { lockTopics, lockUser } from "@innkey/shared/locks/protocol";
import type * as schema from "@innkey/shared/schemas/access/locks";
import { ALERT_KINDS } from "@innkey/shared/words";
import type { z } from "zod";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { resolveAlerts } from "../../messaging/public.ts";
import { lockRooms } from "../../property/public.ts";
import { settleCards } from "../credentials/min-sequences.ts";
import { selectStaysWithKeys } from "../credentials/waiting-keys.ts";
import { enqueue, selectLockForUpdate, TAKE_OVER } from "../lock-commands/commands.ts";
import { lockAccessContext, NO_PASSWORD, notifyAccessChanged, sealPassword } from "../lock-links/device-access.ts";
import { notifyNameAssigned } from "../lock-links/zigbee-locks.ts";
import { updateLockZones } from "../zones/update-lock-zones.ts";
import { configureLock } from "./configure.ts";
import { newPairingSecret, pairingContext } from "./lock-secrets.ts";
import { assignToRoom, removeFromDoor, reviveLock } from "./room-door.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** 192 bits can't be guessed, so the password needs no slow hash. */
const PASSWORD_BYTES = 24;

/**
 * Registers or changes a lock. A lock that was removed before gets its old row back. @throws no_permission; not_found
 * for lock or room; invalid_input for a missing address; address_taken; lock_in_use naming the lock on the room's door;
 * lock_without_hours for another make while the lock has keys with days and hours
 */
export async function save(scope: Scope, input: Input<typeof schema.lockInput>): Promise<Input<typeof schema.lockRef>> {
  scope.require("locks.manage");
  const { id, roomId, ...device } = input;
  if (device.driver !== "mqtt" && device.address === "") {
    throw new DomainError("invalid_input", {}, { address: { key: "validation.required" } });
  }
  return scope.write(async (tx) => {
    if (roomId !== null) {
      await selectStaysWithKeys(tx, roomId);
      await lockRooms(scope, tx, [roomId]);
    }
    const before = await findRegistered(tx, id, device.mac);
    await checkAddress(tx, device, before?.id);
    if (roomId !== null) await checkDoor(tx, roomId, before?.id);
    if (before?.driver === "mqtt" && device.driver !== "mqtt" && before.roomId === roomId)
      await refuseKeysWithHours(tx, before.id);
    const lock = before ? await updateDevice(scope, tx, before, device) : await insertDevice(scope, tx, device);
    const leavesRoom = lock.roomId !== null && lock.roomId !== roomId;
    // Only a room is chosen here: a lock on a common door stays there, unless it moves to a room.
    const leavesDoor = lock.doorId !== null && roomId !== null;
    if (leavesRoom || leavesDoor) await removeFromDoor(scope, tx, lock);
    if (roomId !== null && lock.roomId !== roomId) await assignToRoom(scope, tx, lock.id, roomId);
    // Only locks of our own protocol have the keys of zones.
    if (before && before.driver !== device.driver) await updateLockZones(scope, tx);
    const doorId = roomId === null ? lock.doorId : null;
    const entry = { entity: "lock", entityId: lock.id };
    const existing = before && before.deletedAt === null ? before : null;
    const changes = existing && changesOf(existing, { ...device, roomId, doorId });
    if (changes) tx.audit({ action: "lock.update", ...entry, ...changes });
    if (!existing) tx.audit({ action: "lock.create", ...entry, after: { ...device, roomId } });
    const isRenamed = existing?.driver !== device.driver || existing.address !== device.address;
    if (device.driver === "zigbee2mqtt" && isRenamed) await notifyNameAssigned(tx, device.address);
    return { lockId: lock.id };
  });
}

/** A lock as it is described to the console, without its door. */
export type Device = Omit<Input<typeof schema.lockInput>, "id" | "roomId">;

/** Returns the lock with this id, or without an id the removed lock with this MAC address. @throws not_found */
async function findRegistered(tx: Transaction, id: number | undefined, mac: string): Promise<Lock | null> {
  if (id === undefined) return tx.db.lock.findFirst({ where: { mac, deletedAt: { not: null } } });
  const lock = await selectLockForUpdate(tx, id);
  if (!lock) throw new DomainError("not_found");
  return lock;
}

/** @throws address_taken if the address of the device is that of another lock than `id` */
export async function checkAddress(tx: Transaction, { mac, driver, address }: Device, id = 0): Promise<void> {
  const sameMac = await tx.db.lock.findFirst({ where: { mac, id: { not: id } }, select: { id: true } });
  if (sameMac) throw new DomainError("address_taken", { name: mac }, { mac: { key: "validation.macTaken" } });
  if (driver === "mqtt") return;
  const where = { driver, address, deletedAt: null, id: { not: id } };
  if (await tx.db.lock.findFirst({ where, select: { id: true } })) {
    throw new DomainError("address_taken", { name: address }, { address: { key: "validation.macTaken" } });
  }
}

async function checkDoor(tx: Transaction, roomId: number, id = 0): Promise<void> {
  const lockOnDoor = await tx.db.lock.findFirst({
    where: { roomId, id: { not: id } },
    select: { mac: true, room: { select: { name: true } } },
  });
  if (lockOnDoor) throw new DomainError("lock_in_use", { name: lockOnDoor.mac, roomName: lockOnDoor.room?.name ?? "" });
}

/** @throws lock_without_hours if a key of the lock has days and hours, which locks of other makes can't receive */
async function refuseKeysWithHours(tx: Transaction, lockId: number): Promise<void> {
  const hasHours = { hours: { not: [] } };
  const key = await tx.db.credential.findFirst({
    where: { lockId, state: { notIn: ["revoking", "revoked"] }, OR: [{ card: hasHours }, { passcode: hasHours }] },
    select: { lock: { select: { room: { select: { name: true } }, door: { select: { name: true } } } } },
  });
  if (key) throw new DomainError("lock_without_hours", { roomName: (key.lock.room ?? key.lock.door)?.name ?? "" });
}

export function insertDevice(scope: Scope, tx: Transaction, device: Device): Promise<Lock> {
  const now = scope.now();
  const configuredAt = needsSetUp(device) ? null : now;
  return tx.db.lock.create({ data: { hotelId: scope.hotelId, ...device, configuredAt, createdAt: now } });
}

/** Only locks of our own protocol get the hotel's keys from us; all others count as set up once they are registered. */
const needsSetUp = ({ driver }: Pick<Device, "driver">): boolean => driver === "mqtt";

/**
 * Updates a lock, or brings one back that was removed. If its driver changes, its former set-up, presence, account and
 * failures no longer apply and are reset.
 */
export async function updateDevice(scope: Scope, tx: Transaction, before: Lock, device: Device): Promise<Lock> {
  if (before.deletedAt !== null) await reviveLock(scope, tx, before);
  const hasOtherDriver = device.driver !== before.driver;
  const formerlyConfiguredAt = hasOtherDriver ? null : before.configuredAt;
  const configuredAt = needsSetUp(device) ? formerlyConfiguredAt : (formerlyConfiguredAt ?? scope.now());
  if (hasOtherDriver || device.mac !== before.mac) await notifyAccessChanged(tx, before.mac);
  const initialState = {
    online: false,
    ...NO_PASSWORD,
    pairingBox: null,
    breakerOpenedAt: null,
    failures: 0,
    lastError: null,
  };
  return tx.db.lock.update({
    where: { id: before.id },
    data: { ...device, configuredAt, ...(hasOtherDriver && initialState) },
  });
}

/**
 * Removes a lock from the hotel; its records stay. Its cards and codes are revoked but may open it until they expire,
 * because the lock can't be reached any more. @throws no_permission, not_found; lock_in_use while it is online and has
 * live credentials
 */
export async function remove(
  scope: Scope,
  { lockId }: Input<typeof schema.lockRef>,
): Promise<Input<typeof schema.lockRef>> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    const lock = await selectLockForUpdate(tx, lockId);
    if (!lock) throw new DomainError("not_found");
    const live = await tx.db.credential.findFirst({
      where: { lockId, state: { not: "revoked" } },
      select: { room: { select: { name: true } } },
    });
    if (live && lock.online) {
      throw new DomainError("lock_in_use", { name: lock.mac, roomName: live.room?.name ?? "" });
    }
    await removeFromDoor(scope, tx, lock);
    await closeLock(scope, tx, lock, { state: "superseded" });
    const { mac, roomId, doorId, blockedOutAt } = lock;
    const before = { mac, roomId, doorId, ...(blockedOutAt && { blockedOutAt: blockedOutAt.toISOString() }) };
    tx.audit({ action: "lock.remove", entity: "lock", entityId: lockId, before });
    return { lockId };
  });
}

/**
 * Ends everything between the hotel and a lock that is on no door any more: its account, its commands, which end as
 * `endOfCommands` says, and its alerts, except the one about a block-out, which is about the door. Its records stay.
 */
export async function closeLock(
  scope: Scope,
  tx: Transaction,
  { id: lockId, mac }: Pick<Lock, "id" | "mac">,
  endOfCommands: { state: "superseded" } | { state: "cancelled"; error: "replaced" },
): Promise<void> {
  await tx.db.lockCommand.updateMany({
    where: { lockId, state: { in: ["queued", "sent"] } },
    data: { ...endOfCommands, endedAt: scope.now(), argsBox: null },
  });
  const clearedState = {
    ...NO_PASSWORD,
    pairingBox: null,
    configuredAt: null,
    resetAt: null,
    blockedOutAt: null,
    breakerOpenedAt: null,
    online: false,
    address: "",
  };
  await tx.db.lock.update({
    where: { id: lockId },
    data: { deletedAt: scope.now(), roomId: null, unmanaged: [], failures: 0, lastError: null, ...clearedState },
  });
  await notifyAccessChanged(tx, mac);
  for (const kind of ALERT_KINDS) if (kind !== "block_out_ended") await resolveAlerts(scope, tx, { kind, lockId });
  await settleCards(scope, tx);
}

/**
 * Issues a lock's broker account and the pairing secret that seals its keys, both new each time, and sends it its keys.
 * Password and secret are returned only this once. The password is stored as a hash, and sealed for brokers that need
 * it; the secret is stored sealed, because later keys are sealed with it. @throws no_permission, not_found;
 * state_conflict for a lock that is reached through another system
 */
export async function connect(
  scope: Scope,
  { lockId }: Input<typeof schema.lockRef>,
  { brokerUrl }: { brokerUrl: string },
): Promise<Input<typeof schema.lockAccess>> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    const lock = await selectLockForUpdate(tx, lockId);
    if (!lock) throw new DomainError("not_found");
    if (lock.driver !== "mqtt") throw new DomainError("state_conflict", { state: lock.driver });
    const access = await issueAccess(scope, tx, lock, brokerUrl);
    await configureLock(scope, tx, lockId);
    await readBack(scope, tx, lock);
    tx.audit({ action: "lock.connect", entity: "lock", entityId: lockId, after: { mac: lock.mac } });
    return access;
  });
}

/** Issues the account and the pairing secret of `connect`. The caller sends the lock its keys. */
export async function issueAccess(
  scope: Scope,
  tx: Transaction,
  { id: lockId, mac, configuredAt }: Pick<Lock, "id" | "mac" | "configuredAt">,
  brokerUrl: string,
): Promise<Input<typeof schema.lockAccess>> {
  const { hotelId } = scope;
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const account = sealPassword(scope.secrets.lock, password, lockAccessContext(hotelId, lockId));
  const pairingSecret = newPairingSecret();
  const pairingBox = scope.secrets.lock.seal(pairingSecret, pairingContext(hotelId, lockId));
  await tx.db.lock.update({
    where: { id: lockId },
    data: { ...account, pairingBox, resetAt: configuredAt && scope.now() },
  });
  await tx.sql.rows("SELECT begin_event_numbers($2::int)::text, $1::int", lockId);
  await notifyAccessChanged(tx, mac, account.accessHash);
  const topic = lockTopics.root(hotelId, mac);
  return { lockId, url: brokerUrl, user: lockUser(hotelId, mac), password, pairingSecret, topic };
}

/**
 * Reads back a lock that may have keys. One that joins the hotel, or comes back to it, may have those of another place, and
 * they are removed. If another one reconnects, it may have been reset, may be another device with the same address, or may
 * still have earlier credentials.
 */
export async function readBack(
  scope: Scope,
  tx: Transaction,
  { id, driver, configuredAt, profileId }: Pick<Lock, "id" | "driver" | "configuredAt" | "profileId">,
): Promise<void> {
  const joins = needsSetUp({ driver }) && configuredAt === null;
  const subject = joins ? TAKE_OVER : "read_back";
  if (joins || profileId !== null) await enqueue(scope, tx, id, { type: "read_back", subject, args: {} });
}
