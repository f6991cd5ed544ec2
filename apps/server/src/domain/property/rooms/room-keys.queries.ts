import type { Scope } from "../../../kernel/scope.ts";

/** Numbers of keys that open a room now: guests' and staff cards, door codes, faces. */
export interface RoomKeys {
  cards: number;
  passcodes: number;
  faces: number;
}

const LIVE = "(x.valid_to IS NULL OR x.valid_to > $3::timestamptz)";
const countKeys = (kind: string, id: string): string => `(SELECT count(DISTINCT x.${id})::int FROM credential x
  WHERE x.hotel_id = $1 AND x.room_id = $2::int AND x.kind = '${kind}' AND x.state NOT IN ('revoking', 'revoked') AND ${LIVE})`;

/**
 * Master key cards open every room and are not counted. @throws no_permission; not_found for a room that the caller
 * can't see
 */
export async function roomKeys(scope: Scope, roomId: number): Promise<RoomKeys> {
  scope.require("rooms.view");
  scope.requireRoom(roomId);
  const [room] = await scope.sql.rows<RoomKeys>(
    `SELECT (SELECT count(*)::int FROM card_room cr JOIN card x ON x.hotel_id = $1 AND x.id = cr.card_id
        WHERE cr.hotel_id = $1 AND cr.room_id = $2::int AND x.state IN ('pending', 'active') AND ${LIVE}) AS cards,
      ${countKeys("passcode", "passcode_id")} AS passcodes, ${countKeys("face", "face_id")} AS faces`,
    roomId,
    scope.now(),
  );
  return room ?? { cards: 0, passcodes: 0, faces: 0 };
}
