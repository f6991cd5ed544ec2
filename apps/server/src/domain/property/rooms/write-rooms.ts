import { DomainError } from "@innkey/shared/errors";
import type { RoomInput } from "@innkey/shared/schemas/property/rooms";
import type pg from "pg";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/**
 * Raises the board versions of the hotels of these rooms and notifies their desks at commit. For writes outside
 * `scope.write`, because devices report faster than transactions can queue for a hotel's one state row. Otherwise use
 * `tx.boardChanged`.
 */
export async function raiseBoardVersions(
  client: pg.ClientBase,
  rooms: readonly { hotelId: number; roomId: number }[],
): Promise<void> {
  await client.query(
    `WITH locked AS (SELECT hotel_id FROM hotel_state WHERE hotel_id = ANY ($1::int[]) ORDER BY hotel_id FOR UPDATE)
     SELECT raise_board(hotel_id, ARRAY(SELECT r.room_id FROM unnest($1::int[], $2::int[]) AS r (hotel_id, room_id)
         WHERE r.hotel_id = locked.hotel_id))
       FROM locked`,
    [rooms.map(({ hotelId }) => hotelId), rooms.map(({ roomId }) => roomId)],
  );
}

export interface LockedRoom {
  id: number;
  name: string;
}

/**
 * Locks the rows of rooms until the transaction ends, in the order of their ids to prevent deadlocks. Bookings take the
 * same locks. @throws not_found if the caller can't see one of them
 */
export async function lockRooms(scope: Scope, tx: Transaction, roomIds: readonly number[]): Promise<LockedRoom[]> {
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const rooms = await tx.sql.rows<LockedRoom>(
    `SELECT id, name FROM room WHERE hotel_id = $1 AND id = ANY ($2::int[]) AND deleted_at IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    roomIds,
  );
  if (rooms.length !== new Set(roomIds).size) throw new DomainError("not_found");
  return rooms;
}

/** A room's own columns, without its lock. */
export type RoomData = Omit<RoomInput, "id" | "lock">;

/**
 * Inserts rooms and returns their ids by name. The caller must have checked rooms.manage, and should have checked that the
 * names are free, to say which one is not. @throws name_taken
 */
export async function insertRooms(
  scope: Scope,
  tx: Transaction,
  rooms: readonly RoomData[],
): Promise<Map<string, number>> {
  const { hotelId } = scope;
  const createdAt = scope.now();
  const created = await tx.db.room.createManyAndReturn({
    data: rooms.map((room) => ({ hotelId, ...room, createdAt })),
    select: { id: true, name: true },
  });
  return new Map(created.map(({ id, name }) => [name, id]));
}

/** Inserts one room and returns its id; see `insertRooms`. */
export async function insertRoom(scope: Scope, tx: Transaction, room: RoomData): Promise<number> {
  const data = { hotelId: scope.hotelId, ...room, createdAt: scope.now() };
  const { id } = await tx.db.room.create({ data, select: { id: true } });
  return id;
}

export async function updateRoom(tx: Transaction, roomId: number, data: RoomData): Promise<void> {
  await tx.db.room.updateMany({ where: { id: roomId }, data });
}

/** Hides a room from every list, frees its name and removes it from its group. */
export async function markRoomArchived(scope: Scope, tx: Transaction, roomId: number): Promise<void> {
  await tx.db.room.updateMany({
    where: { id: roomId, deletedAt: null },
    data: { deletedAt: scope.now(), groupId: null },
  });
}

export async function setRoomsCondition(
  tx: Transaction,
  roomIds: readonly number[],
  condition: "clean" | "dirty",
): Promise<void> {
  await tx.db.room.updateMany({ where: { id: { in: [...roomIds] } }, data: { condition } });
}

/** Marks a room for cleaning. */
export async function markRoomDirty(tx: Transaction, roomId: number): Promise<void> {
  await tx.sql.prepared(
    "mark-room-dirty",
    "UPDATE room SET condition = 'dirty' WHERE hotel_id = $1 AND id = $2",
    roomId,
  );
}

/** Stores the text that the locks of these rooms display. */
export async function setBulletin(tx: Transaction, roomIds: readonly number[], bulletin: string): Promise<void> {
  await tx.db.room.updateMany({ where: { id: { in: [...roomIds] } }, data: { bulletin } });
}

/** Returns the card sequence of a room's newest card, and locks the room so that no other card gets the next one. */
export async function lockCardSequence(tx: Transaction, roomId: number): Promise<number> {
  const [room] = await tx.sql.rows<{ sequence: number }>(
    "SELECT card_sequence AS sequence FROM room WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE",
    roomId,
  );
  return room?.sequence ?? 0;
}

/** Replaces the card sequence that `lockCardSequence` returned. */
export async function setCardSequence(
  tx: Transaction,
  roomId: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx.db.room.update({ where: { id: roomId, cardSequence: from }, data: { cardSequence: to } });
}

/** Restarts a room's card sequence at zero. */
export async function resetCardSequence(tx: Transaction, roomId: number): Promise<void> {
  await tx.db.room.update({ where: { id: roomId }, data: { cardSequence: 0 } });
}

/** Raises a room's card sequence to at least this number. */
export async function raiseCardSequence(tx: Transaction, roomId: number, atLeast: number): Promise<void> {
  await tx.sql.rows(
    "UPDATE room SET card_sequence = greatest(card_sequence, $3::int) WHERE hotel_id = $1 AND id = $2::int RETURNING id",
    roomId,
    atLeast,
  );
}
