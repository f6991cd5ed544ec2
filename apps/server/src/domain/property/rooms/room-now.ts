import type { RoomStatus } from "@innkey/shared/enums";
import { addDays, atLocal, type InstantIso, localDate } from "@innkey/shared/hotel-time";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";

/** Returns the local midnight that ends the hotel's day, including days of 23 and 25 hours. */
export function endOfDay(instant: InstantIso, timeZone: string): InstantIso {
  return atLocal(addDays(localDate(instant, timeZone), 1), "00:00", timeZone);
}

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

/**
 * Rooms as they stand at an instant, in SQL: the one place that derives a room's status (source: domain rules, "Room
 * status"). Someone in it > maintenance > dirty > held for a party of today or overdue > vacant.
 *
 * Common table expressions that end in `room_now`, one row a room. Parameters: $1 hotel, $2 the instant, $3 the end of
 * the hotel-local day, $4 the rooms asked for (null: all).
 */
export const ROOM_NOW = `
  live AS (
    SELECT o.room_id, o.stay_id, o.kind, o.state, o.starts_at, o.ends_at, o.note
    FROM occupancy o
    WHERE o.hotel_id = $1 AND o.state IN ('held', 'in_house')
      AND (o.kind = 'stay' OR o.ends_at IS NULL OR o.ends_at > $2::timestamptz)
      AND ($4::int[] IS NULL OR o.room_id = ANY ($4::int[]))
  ),
  party AS (
    SELECT sg.stay_id, max(sg.id) FILTER (WHERE sg."primary") AS manage_id, max(g.name) FILTER (WHERE sg."primary") AS name,
      count(*)::int AS guests
    FROM live l
    JOIN stay_guest sg ON sg.hotel_id = $1 AND sg.stay_id = l.stay_id
    JOIN guest g ON g.hotel_id = $1 AND g.id = sg.guest_id
    GROUP BY sg.stay_id
  ),
  booked AS (
    SELECT l.room_id, l.state, l.starts_at,
      row_number() OVER (PARTITION BY l.room_id, l.state ORDER BY l.starts_at) AS turn,
      row_to_json(shown) AS stay
    FROM live l
    JOIN stay s ON s.hotel_id = $1 AND s.id = l.stay_id
    JOIN party p ON p.stay_id = s.id
    CROSS JOIN LATERAL (
      SELECT s.id AS "stayId", p.manage_id AS "stayGuestId", p.name AS "guestName", p.guests AS "guestCount",
        iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt", s.unit, s.breakfast
    ) shown
  ),
  blocked AS (
    SELECT l.room_id, json_build_object('endsAt', iso(l.ends_at), 'note', l.note) AS maintenance
    FROM live l WHERE l.kind = 'maintenance' AND l.starts_at <= $2::timestamptz
  ),
  room_now AS (
    SELECT r.id, r.name, r.remark_name AS "remarkName", r.group_id AS "groupId", r.floor, r.sort,
      CASE
        WHEN c.stay IS NOT NULL THEN 'checked_in'
        WHEN m.maintenance IS NOT NULL THEN 'maintenance'
        WHEN r.condition = 'dirty' THEN 'dirty'
        WHEN n.starts_at < $3::timestamptz THEN 'reserved'
        ELSE 'vacant'
      END AS status,
      r.condition, '/files/' || r.picture_file_id AS "pictureUrl", price.usual_minor AS "usualMinor",
      CASE WHEN k.id IS NOT NULL THEN row_to_json(door) END AS lock,
      c.stay AS current, n.stay AS next, m.maintenance
    FROM room r
    LEFT JOIN room_price price ON price.hotel_id = $1 AND price.room_id = r.id
    LEFT JOIN lock k ON k.hotel_id = $1 AND k.room_id = r.id
    LEFT JOIN LATERAL (SELECT k.id, k.power, k.online, k.configured_at IS NOT NULL AS "setUp") door ON true
    LEFT JOIN booked c ON c.room_id = r.id AND c.state = 'in_house' AND c.turn = 1
    LEFT JOIN booked n ON n.room_id = r.id AND n.state = 'held' AND n.turn = 1
    LEFT JOIN blocked m ON m.room_id = r.id
    WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($4::int[] IS NULL OR r.id = ANY ($4::int[]))
  )`;
