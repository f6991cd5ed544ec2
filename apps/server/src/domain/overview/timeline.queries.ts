import { addDays, atLocal } from "@innkey/shared/hotel-time";
import type { Timeline, timelineInput } from "@innkey/shared/schemas/overview/timeline";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { BoardReader } from "./board.queries.ts";

/**
 * Selects the occupancies of rooms over some days. $2 is the current time, $3 the rooms; $4 and $5 bound the days. A
 * checked-in party past its planned departure is shown until now.
 */
const BARS = `WITH
  shown AS (
    SELECT o.*, s.state AS stay_state, s.unit, s.starts_at AS stay_starts, s.ends_at AS stay_ends, s.breakfast
    FROM occupancy o
    LEFT JOIN stay s ON s.hotel_id = $1 AND s.id = o.stay_id
    WHERE o.hotel_id = $1 AND o.room_id = ANY ($3::int[]) AND o.state <> 'cancelled'
      AND o.starts_at < $5::timestamptz AND (o.ends_at IS NULL OR o.ends_at > o.starts_at)
      AND (o.ends_at IS NULL OR o.ends_at > $4::timestamptz OR o.state = 'in_house' AND $2::timestamptz > $4::timestamptz)
  ),
  guests AS (
    SELECT sg.stay_id, max(sg.id) FILTER (WHERE sg."primary") AS manage_id,
      max(g.name) FILTER (WHERE sg."primary") AS name, count(*)::int AS number
    FROM stay_guest sg JOIN guest g ON g.hotel_id = $1 AND g.id = sg.guest_id
    WHERE sg.hotel_id = $1 AND sg.stay_id IN (SELECT stay_id FROM shown) GROUP BY sg.stay_id
  ),
  owing AS (
    SELECT stay_id FROM owing_stay WHERE hotel_id = $1 AND stay_id = ANY (ARRAY (
      SELECT stay_id FROM shown WHERE stay_id IS NOT NULL AND state <> 'ended'))
  )
SELECT coalesce((SELECT json_agg(json_build_object('occupancyId', b.id, 'roomId', b.room_id, 'kind', b.kind, 'state', b.state,
              'startsAt', iso(b.starts_at), 'endsAt', iso(b.ends_at), 'note', b.note,
              'stay', CASE WHEN b.stay_id IS NOT NULL THEN json_build_object('stayId', b.stay_id, 'stayGuestId', g.manage_id,
                'state', b.stay_state, 'unit', b.unit, 'guestName', g.name, 'guestCount', g.number,
                'startsAt', iso(b.stay_starts), 'endsAt', iso(b.stay_ends), 'breakfast', b.breakfast,
                'expired', b.state = 'in_house' AND b.stay_ends <= $2::timestamptz,
                'owed', w.stay_id IS NOT NULL) END) ORDER BY b.room_id, b.starts_at)
            FROM shown b LEFT JOIN guests g ON g.stay_id = b.stay_id LEFT JOIN owing w ON w.stay_id = b.stay_id), '[]') AS bars`;

/**
 * Returns rooms and days with their occupancies; the rooms come from the board in memory, at least as new as
 * `boardVersion`. @throws no_permission
 */
export async function read(
  scope: Scope,
  boards: Pick<BoardReader, "readForOverview">,
  boardVersion: string,
  { from, days }: z.infer<typeof timelineInput>,
): Promise<Timeline> {
  scope.require("stays.view");
  const { timeZone } = scope.hotel;
  const midnight = (date: string): string => atLocal(date, "00:00", timeZone);
  const dates = Array.from({ length: days }, (_, at) => addDays(from, at));
  const endsAt = midnight(addDays(from, days));
  const { version, groups, rooms } = await boards.readForOverview(scope, boardVersion);
  const used = new Set(rooms.map(({ groupId }) => groupId));
  const [row] = await scope.sql.rows<Pick<Timeline, "bars">>(
    BARS,
    scope.now(),
    rooms.map(({ id }) => id),
    midnight(from),
    endsAt,
  );
  if (!row) throw new Error(`the bars of hotel ${scope.hotelId} returned no row`);
  return {
    ...{ version, endsAt, bars: row.bars },
    groups: groups.filter(({ id }) => used.has(id)),
    rooms: rooms.map(({ lock, id, name, remarkName, groupId, sort, status }) => ({
      ...{ id, name, remarkName, groupId, sort, status, lockOnline: lock?.online ?? null },
    })),
    days: dates.map((date) => ({ date, startsAt: midnight(date) })),
  };
}
