import type { RoomStatus } from "@innkey/shared/enums";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { endOfDay } from "./hotel-day.ts";
import { ROOM_NOW } from "./room-now.ts";

/**
 * Returns a room's current status as on the board, also within a transaction. The caller must have checked access to
 * the room.
 */
export async function statusNow(scope: Scope, sql: HotelSql, roomId: number): Promise<RoomStatus> {
  const now = scope.now().toISOString();
  const [room] = await sql.rows<{ status: RoomStatus }>(
    `WITH ${ROOM_NOW} SELECT status FROM room_now`,
    now,
    endOfDay(now, scope.hotel.timeZone),
    [roomId],
  );
  if (!room) throw new Error(`room ${roomId} is gone`);
  return room.status;
}
