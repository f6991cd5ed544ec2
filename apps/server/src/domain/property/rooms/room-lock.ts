import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

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
    `SELECT id, name FROM room WHERE hotel_id = $1 AND id = ANY ($2::int[]) AND archived_at IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    roomIds,
  );
  if (rooms.length !== new Set(roomIds).size) throw new DomainError("not_found");
  return rooms;
}
