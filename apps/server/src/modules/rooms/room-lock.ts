import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../core/scope.ts";
import type { Unit } from "../../core/unit.ts";

export interface LockedRoom {
  id: number;
  name: string;
}

/**
 * Holds rooms until the unit ends, in the order of their ids so that two desks never wait for each other in a circle.
 * Bookings hold the same lock. @throws not_found if one doesn't exist for the caller
 */
export async function lockRooms(scope: Scope, unit: Unit, roomIds: readonly number[]): Promise<LockedRoom[]> {
  for (const roomId of roomIds) scope.requireRoom(roomId);
  const rooms = await unit.sql.rows<LockedRoom>(
    `SELECT id, name FROM room WHERE hotel_id = $1 AND id = ANY ($2::int[]) AND archived_at IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    roomIds,
  );
  if (rooms.length !== new Set(roomIds).size) throw new DomainError("not_found");
  return rooms;
}
