import { DomainError } from "@innkey/shared/errors";
import type { PatchRoomInput, PatchRoomWithUploadInput, RoomInput } from "@innkey/shared/schemas/property/rooms";
import type { Scope } from "../../kernel/scope.ts";
import { changesOf, FREE_TEXTS, masked, type Transaction } from "../../kernel/transaction.ts";
import { type DoorLock, insertLocks, lockOf, setRoomLock, showBulletin } from "../access/public.ts";
import type { FileStore, Uploads } from "../files/public.ts";
import { grantNewRooms, revokeRoomGrants } from "../identity/public.ts";
import {
  checkGroup,
  insertRoom,
  insertRooms,
  lockRooms,
  markRoomArchived,
  type RoomData,
  requireVisibleRoom,
  updateRoom,
} from "../property/public.ts";
import { endAllMaintenance } from "../stays/public.ts";

type RoomRef = { roomId: number };

/**
 * Creates a room with its lock, or changes the one with `input.id`. A lock that another room has is refused. @throws
 * no_permission; not_found for the room, its group or its picture; name_taken for its name or its lock's address
 */
export async function save(scope: Scope, input: RoomInput): Promise<RoomRef> {
  scope.require("rooms.manage");
  return scope.write((tx) => saveRoom(scope, tx, input));
}

/** Does the same within an existing transaction; the caller must have checked rooms.manage. */
export async function saveRoom(scope: Scope, tx: Transaction, { id, lock, ...data }: RoomInput): Promise<RoomRef> {
  await checkReferences(tx, data);
  await checkName(tx, data.name, id);
  const roomId = id === undefined ? await createRoom(scope, tx, data) : await changeRoom(scope, tx, id, data);
  const before = await lockOf(tx, roomId);
  await setRoomLock(scope, tx, roomId, lock);
  const changes = changesOf({ lock: before }, { lock });
  if (changes) tx.audit({ action: "room.lock", entity: "room", entityId: roomId, ...changes });
  tx.wholeBoardChanged();
  return { roomId };
}

/**
 * Creates many rooms, each with a new lock, in as many statements as for one. The caller must have checked
 * rooms.manage, and should have checked that names and addresses are free, to say which one is not. Returns the rooms'
 * ids by name. @throws name_taken, address_taken
 */
export async function createRooms(
  scope: Scope,
  tx: Transaction,
  rooms: readonly RoomInput[],
): Promise<Map<string, number>> {
  const ids = await insertRooms(
    scope,
    tx,
    rooms.map(({ id: _new, lock: _own, ...room }) => room),
  );
  await grantNewRooms(tx, [...ids.values()]);
  const doors = rooms.flatMap(({ name, lock }) => {
    const roomId = ids.get(name);
    return lock && roomId !== undefined ? [{ roomId, lock }] : [];
  });
  await insertLocks(scope, tx, doors);
  for (const { id: _new, lock, ...room } of rooms) {
    const entity = { entity: "room", entityId: ids.get(room.name) ?? 0 } as const;
    tx.audit({ action: "room.create", ...entity, after: masked(room, FREE_TEXTS) });
    if (lock) tx.audit({ action: "room.lock", ...entity, before: { lock: null }, after: { lock } });
  }
  tx.wholeBoardChanged();
  return ids;
}

/**
 * As `patchRoom`, with an uploaded picture if `pictureUploadKey` is set. An upload key works once, so the room is checked
 * before the key is used. @throws as `patchRoom`; file_not_image and others of `storePicture`
 */
export async function patchRoomWithUpload(
  scope: Scope,
  { uploads, files }: { uploads: Uploads; files: FileStore },
  { pictureUploadKey, ...input }: PatchRoomWithUploadInput,
): Promise<RoomRef> {
  scope.require("rooms.manage");
  if (pictureUploadKey === undefined) return patchRoom(scope, input);
  await requireVisibleRoom(scope, input.roomId);
  const pictureFileId = await uploads.storePicture(scope, files, "room", pictureUploadKey).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "file_not_image") throw error;
    throw new DomainError(error.code, {}, { pictureUploadKey: { key: `errors.${error.code}` } });
  });
  return patchRoom(scope, { ...input, pictureFileId });
}

/**
 * Changes some data of a room and its lock; omitted fields stay unchanged. @throws as `save`; lock_missing for a
 * Bluetooth name without a lock
 */
export async function patchRoom(scope: Scope, input: PatchRoomInput): Promise<RoomRef> {
  scope.require("rooms.manage");
  return scope.write(async (tx) => {
    const { roomId: id, pictureFileId } = input;
    await lockRooms(scope, tx, [id]);
    const { groupId, floor, sort, ...before } = await tx.db.room.findFirstOrThrow({ where: { id } });
    return saveRoom(scope, tx, {
      id,
      groupId,
      floor,
      sort,
      name: input.name ?? before.name,
      remarkName: input.remarkName ?? before.remarkName,
      description: input.description ?? before.description,
      bulletin: input.bulletin ?? before.bulletin,
      notice: input.notice ?? before.notice,
      pictureFileId: pictureFileId === undefined ? before.pictureFileId : pictureFileId,
      lock: await patchedLock(tx, { id, name: before.name }, input),
    });
  });
}

/** Returns the room's lock after the change; a registered lock keeps its Bluetooth name unless another is given. */
async function patchedLock(
  tx: Transaction,
  room: { id: number; name: string },
  { mac, bluetoothName }: Pick<PatchRoomInput, "mac" | "bluetoothName">,
): Promise<DoorLock | null> {
  const before = await lockOf(tx, room.id);
  if (mac === undefined && bluetoothName === undefined) return before;
  if (mac === undefined) {
    if (!before) throw new DomainError("lock_missing", { roomName: room.name });
    return { mac: before.mac, bluetoothName: bluetoothName ?? before.bluetoothName };
  }
  const existing = await tx.db.lock.findFirst({ where: { mac }, select: { bluetoothName: true } });
  return { mac, bluetoothName: bluetoothName ?? existing?.bluetoothName ?? "" };
}

async function createRoom(scope: Scope, tx: Transaction, data: RoomData): Promise<number> {
  const roomId = await insertRoom(scope, tx, data);
  await grantNewRooms(tx, [roomId]);
  tx.audit({ action: "room.create", entity: "room", entityId: roomId, after: masked(data, FREE_TEXTS) });
  return roomId;
}

async function changeRoom(scope: Scope, tx: Transaction, id: number, data: RoomData): Promise<number> {
  await lockRooms(scope, tx, [id]);
  const before = await tx.db.room.findFirstOrThrow({ where: { id } });
  await updateRoom(tx, id, data);
  if (before.bulletin !== data.bulletin) await showBulletin(scope, tx, id, data.bulletin);
  const changes = changesOf(before, data, FREE_TEXTS);
  if (changes) tx.audit({ action: "room.update", entity: "room", entityId: id, ...changes });
  return id;
}

async function checkReferences(tx: Transaction, { groupId, pictureFileId }: RoomData): Promise<void> {
  if (groupId !== null) await checkGroup(tx, groupId);
  if (pictureFileId === null) return;
  const where = { id: pictureFileId, kind: "room" as const };
  if (!(await tx.db.storedFile.findFirst({ where, select: { id: true } }))) throw new DomainError("not_found");
}

async function checkName(tx: Transaction, name: string, id: number | undefined): Promise<void> {
  const namesake = await tx.db.room.findFirst({ where: { name, deletedAt: null }, select: { id: true } });
  if (namesake && namesake.id !== id) {
    throw new DomainError("name_taken", { name }, { name: { key: "validation.nameTaken" } });
  }
}

/**
 * Deletes a room: its history stays, while its name, group and lock become free. Current or planned maintenance ends.
 * @throws no_permission, not_found; room_in_use while it is occupied or reserved
 */
export async function deleteRoom(scope: Scope, roomId: number): Promise<{ roomId: number }> {
  scope.require("rooms.manage");
  return scope.write(async (tx) => {
    const [room] = await lockRooms(scope, tx, [roomId]);
    const stay = await tx.db.occupancy.findFirst({
      where: { roomId, kind: "stay", state: { in: ["held", "in_house"] } },
      select: { id: true },
    });
    if (stay) throw new DomainError("room_in_use", { count: 1 });
    await endAllMaintenance(scope, tx, roomId);
    await setRoomLock(scope, tx, roomId, null);
    await revokeRoomGrants(tx, roomId);
    await markRoomArchived(scope, tx, roomId);
    tx.audit({ action: "room.delete", entity: "room", entityId: roomId, before: { name: room?.name } });
    tx.wholeBoardChanged();
    return { roomId };
  });
}
