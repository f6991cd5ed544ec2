import type { Scope } from "../../../kernel/scope.ts";

/** A lock in search results. */
export interface LockMatch {
  id: number;
  mac: string;
  bluetoothName: string;
  /** null: not on any room's door */
  roomId: number | null;
  roomName: string | null;
  power: number | null;
  online: boolean;
}

/**
 * Finds the caller's locks by room name, MAC address or Bluetooth name. Locks without a room are only found by callers
 * who see all rooms. @throws no_permission
 */
export async function findLocks(scope: Scope, keyword: string): Promise<LockMatch[]> {
  scope.require("locks.view");
  return scope.sql.rows<LockMatch>(
    `SELECT l.id, l.mac, l.bluetooth_name AS "bluetoothName", r.id AS "roomId", r.name AS "roomName", l.power, l.online
       FROM lock l LEFT JOIN room r ON r.hotel_id = $1 AND r.id = l.room_id
      WHERE l.hotel_id = $1 AND l.removed_at IS NULL AND ($2::int[] IS NULL OR l.room_id = ANY ($2::int[]))
        AND ($3::text = '' OR r.name ILIKE $4::text OR l.mac ILIKE $4::text OR l.bluetooth_name ILIKE $4::text)
      ORDER BY r.sort, r.name, l.id`,
    scope.roomIds,
    keyword,
    `%${keyword.replace(/[\\%_]/g, "\\$&")}%`,
  );
}
