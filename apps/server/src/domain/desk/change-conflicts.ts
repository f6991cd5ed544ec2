import type { ChangeConflict } from "@innkey/shared/schemas/timeline";
import type { HotelSql } from "../../kernel/hotel-database.ts";

/** Returns the stays and maintenance that conflict with a stay in that room and period, earliest first. */
export function readConflicts(
  sql: HotelSql,
  stayId: number,
  { roomId, startsAt, endsAt, inHouse }: { roomId: number; startsAt: string; endsAt: string; inHouse: boolean },
): Promise<ChangeConflict[]> {
  return sql.rows<ChangeConflict>(
    `SELECT o.kind::text AS kind, g.stay_guest_id AS "stayGuestId", coalesce(g.name, '') AS "guestName", r.name AS "roomName",
            iso(o.starts_at) AS "startsAt", iso(o.ends_at) AS "endsAt", o.note
       FROM occupancy o
       JOIN room r ON r.id = o.room_id
       LEFT JOIN primary_guest g ON g.stay_id = o.stay_id
      WHERE o.hotel_id = $1 AND o.room_id = $2::int AND o.state IN ('held', 'in_house') AND o.stay_id IS DISTINCT FROM $3::int
        AND (tstzrange(o.starts_at, o.ends_at) && tstzrange($4::timestamptz, $5::timestamptz)
             OR o.state = 'in_house' AND $6::boolean)
      ORDER BY o.starts_at`,
    roomId,
    stayId,
    startsAt,
    endsAt,
    inHouse,
  );
}
