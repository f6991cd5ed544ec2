import type { LockDriver } from "@innkey/shared/enums";
import type { Scope } from "../../../kernel/scope.ts";

/** A lock as reported to other systems of the hotel. */
export interface HotelLock {
  mac: string;
  driver: LockDriver;
  /** null: not on any room's door */
  roomId: number | null;
  roomName: string | null;
}

/** Lists every lock of the hotel. @throws no_permission */
export async function listHotelLocks(scope: Scope): Promise<HotelLock[]> {
  scope.require("locks.view");
  return scope.sql.rows<HotelLock>(
    `SELECT l.mac, l.driver::text AS driver, l.room_id AS "roomId", r.name AS "roomName"
     FROM lock l LEFT JOIN room r ON r.hotel_id = l.hotel_id AND r.id = l.room_id
     WHERE l.hotel_id = $1 AND l.removed_at IS NULL ORDER BY l.id`,
  );
}
