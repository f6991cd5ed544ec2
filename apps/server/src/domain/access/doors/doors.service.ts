import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/doors";
import type * as lockSchema from "@innkey/shared/schemas/access/locks";
import type { z } from "zod";
import type { Door } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import { moveAlert } from "../../messaging/public.ts";
import { selectLockForUpdate } from "../lock-commands/commands.ts";
import { sendOpening } from "../locks/locks.service.ts";
import { assignToCommonDoor, removeFromDoor } from "../locks/room-door.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/**
 * Doors that belong to no room. They are for whoever sees the whole hotel: to staff of certain rooms they are like
 * doors that don't exist.
 */

const LIST = `SELECT d.id, d.name, d.kind::text AS kind,
    CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'mac', l.mac, 'driver', l.driver, 'online', l.online,
      'lastSeenAt', iso(l.last_seen_at), 'configuredAt', iso(l.configured_at), 'breakerOpenedAt', iso(l.breaker_opened_at),
      'blockedOutAt', iso(l.blocked_out_at)) END AS lock,
    ARRAY(SELECT z.name FROM zone_door zd JOIN zone z ON z.id = zd.zone_id WHERE zd.door_id = d.id ORDER BY z.name) AS zones
  FROM door d LEFT JOIN lock l ON l.hotel_id = $1 AND l.door_id = d.id
  WHERE d.hotel_id = $1 AND d.deleted_at IS NULL AND $2::int[] IS NULL
  ORDER BY d.kind, d.name, d.id`;

/** Lists the hotel's common doors by kind, with the lock of each. @throws no_permission */
export async function list(scope: Scope): Promise<schema.DoorRow[]> {
  scope.require("locks.view");
  return scope.sql.rows<schema.DoorRow>(LIST, scope.roomIds);
}

/**
 * Makes a door, or changes the one with `input.id`. A lock that it loses forgets the keys of this door. @throws
 * no_permission, name_taken; not_found for door or lock; lock_in_use for a lock that is on another door
 */
export async function save(scope: Scope, input: schema.DoorInput): Promise<{ doorId: number }> {
  scope.require("locks.manage");
  const { id, name, kind, lockId } = input;
  return scope.write(async (tx) => {
    await checkName(tx, "door", name, id);
    const before = id === undefined ? null : await selectDoorForUpdate(tx, id);
    const formerLockId = before === null ? null : await lockIdOf(tx, before.id);
    const door = before
      ? await tx.db.door.update({ where: { id: before.id }, data: { name, kind } })
      : await tx.db.door.create({ data: { hotelId: scope.hotelId, name, kind, createdAt: scope.now() } });
    if (formerLockId !== lockId) await changeLock(scope, tx, door.id, formerLockId, lockId);
    const entry = { entity: "door", entityId: door.id };
    const after = { name, kind, lockId };
    const changes = before && changesOf({ name: before.name, kind: before.kind, lockId: formerLockId }, after);
    if (changes) tx.audit({ action: "door.update", ...entry, ...changes });
    if (!before) tx.audit({ action: "door.create", ...entry, after });
    return { doorId: door.id };
  });
}

/** Checks that no other door or zone has the name. `id`: the one that is to have it. @throws name_taken */
export async function checkName(tx: Transaction, table: "door" | "zone", name: string, id = 0): Promise<void> {
  const [namesake] = await tx.sql.rows(
    `SELECT id FROM ${table} WHERE hotel_id = $1 AND lower(name) = lower($2::text) AND deleted_at IS NULL AND id <> $3::int`,
    name,
    id,
  );
  if (namesake) throw new DomainError("name_taken", { name }, { name: { key: "validation.nameTaken" } });
}

/** @throws not_found */
async function selectDoorForUpdate(tx: Transaction, doorId: number): Promise<Door> {
  await tx.sql.rows("SELECT id FROM door WHERE hotel_id = $1 AND id = $2::int FOR UPDATE", doorId);
  const door = await tx.db.door.findFirst({ where: { id: doorId, deletedAt: null } });
  if (!door) throw new DomainError("not_found");
  return door;
}

async function lockIdOf(tx: Transaction, doorId: number): Promise<number | null> {
  const lock = await tx.db.lock.findFirst({ where: { doorId }, select: { id: true } });
  return lock?.id ?? null;
}

/** Rows of locks are locked in the order of their ids, as everywhere. @throws not_found, lock_in_use */
async function changeLock(
  scope: Scope,
  tx: Transaction,
  doorId: number,
  from: number | null,
  to: number | null,
): Promise<void> {
  const ids = [from, to].filter((id) => id !== null).sort((a, b) => a - b);
  const locks = new Map<number, NonNullable<Awaited<ReturnType<typeof selectLockForUpdate>>>>();
  for (const id of ids) {
    const lock = await selectLockForUpdate(tx, id);
    if (!lock) throw new DomainError("not_found");
    locks.set(id, lock);
  }
  const former = from === null ? undefined : locks.get(from);
  if (former) await removeFromDoor(scope, tx, former);
  const next = to === null ? undefined : locks.get(to);
  if (!next) return;
  if (next.roomId !== null || (next.doorId !== null && next.doorId !== doorId)) {
    const params = { name: next.mac, roomName: await placeOf(tx, next) };
    throw new DomainError("lock_in_use", params, { lockId: { key: "validation.lockOnDoor", params } });
  }
  await assignToCommonDoor(scope, tx, next.id, doorId);
  if (former) await moveAlert(tx, "block_out_ended", { from: former.id, to: next.id });
}

async function placeOf(
  tx: Transaction,
  { roomId, doorId }: { roomId: number | null; doorId: number | null },
): Promise<string> {
  const place =
    roomId === null
      ? await tx.db.door.findFirst({ where: { id: doorId ?? 0 }, select: { name: true } })
      : await tx.db.room.findFirst({ where: { id: roomId }, select: { name: true } });
  return place?.name ?? "";
}

/**
 * Removes a door. Its lock stays in the hotel without a door, and its unlock records keep the door's name. @throws
 * no_permission, not_found
 */
export async function remove(
  scope: Scope,
  { doorId }: Input<typeof schema.doorRef>,
): Promise<Input<typeof schema.doorRef>> {
  scope.require("locks.manage");
  return scope.write(async (tx) => {
    const { name, kind } = await selectDoorForUpdate(tx, doorId);
    const lockId = await lockIdOf(tx, doorId);
    if (lockId !== null) await changeLock(scope, tx, doorId, lockId, null);
    await tx.db.door.update({ where: { id: doorId }, data: { deletedAt: scope.now() } });
    await tx.db.zoneDoor.deleteMany({ where: { doorId } });
    await tx.db.cardDoor.deleteMany({ where: { doorId } });
    tx.audit({ action: "door.remove", entity: "door", entityId: doorId, before: { name, kind, lockId } });
    return { doorId };
  });
}

/**
 * Opens a common door remotely. @throws no_permission; not_found, also for whoever doesn't see the whole hotel;
 * lock_missing, lock_offline naming the door
 */
export async function open(
  scope: Scope,
  { doorId }: Input<typeof schema.doorRef>,
): Promise<Input<typeof lockSchema.commandQueued>> {
  scope.require("locks.open");
  if (scope.roomIds !== null) throw new DomainError("not_found");
  return scope.write(async (tx) => {
    const door = await tx.db.door.findFirst({
      where: { id: doorId, deletedAt: null },
      select: { name: true, lock: true },
    });
    if (!door) throw new DomainError("not_found");
    const { name, lock } = door;
    if (!lock) throw new DomainError("lock_missing", { roomName: name });
    const commandId = await sendOpening(scope, tx, lock, name);
    tx.audit({ action: "lock.open", entity: "lock", entityId: lock.id, after: { doorId, commandId } });
    return { commandId, state: "queued" };
  });
}
