import type { RoomStatus } from "@innkey/shared/enums";
import type { Scope } from "../../../kernel/scope.ts";
import { endOfDay } from "./hotel-day.ts";
import { ROOM_NOW } from "./room-now.ts";

/** A room as listed for programs that write cards. */
export interface DirectoryRoom {
  roomId: number;
  roomName: string;
  groupName: string | null;
  /** null: the room has no lock */
  lockMac: string | null;
  status: RoomStatus;
}

const DIRECTORY = `WITH ${ROOM_NOW}
  SELECT n.id AS "roomId", n.name AS "roomName", g.name AS "groupName", k.mac AS "lockMac", n.status
  FROM room_now n
  LEFT JOIN room_group g ON g.hotel_id = $1 AND g.id = n."groupId"
  LEFT JOIN lock k ON k.hotel_id = $1 AND k.room_id = n.id
  ORDER BY n.sort, n.id`;

/** Returns every room that the caller can see, in the board's order, with its current status. @throws no_permission */
export async function directory(scope: Scope): Promise<DirectoryRoom[]> {
  scope.require("rooms.view");
  const now = scope.now().toISOString();
  return scope.sql.rows<DirectoryRoom>(DIRECTORY, now, endOfDay(now, scope.hotel.timeZone), scope.roomIds);
}
