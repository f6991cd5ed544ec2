import { addDays, atLocal, localDate } from "@innkey/shared/hotel-time";
import type { Timeline, timelineInput } from "@innkey/shared/schemas/overview/timeline";
import type { z } from "zod";
import { JsonText } from "../../kernel/json-text.ts";
import type { Scope } from "../../kernel/scope.ts";
import type { BoardReader } from "./board.queries.ts";

/**
 * Selects the occupancies of rooms over some days. $2 is the current time, $3 the rooms; $4 and $5 bound the days. A
 * checked-in party past its planned departure is shown until now. PostgreSQL shapes the bars as JSON, which is sent as
 * it is.
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
  SELECT coalesce(string_agg(row_to_json(bar)::text, ',' ORDER BY bar."roomId", bar."startsAt"), '') AS bars
  FROM (
    SELECT b.id AS "occupancyId", b.room_id AS "roomId", b.kind, b.state, iso(b.starts_at) AS "startsAt",
      iso(b.ends_at) AS "endsAt", b.note, stay
    FROM shown b
    LEFT JOIN guests g ON g.stay_id = b.stay_id
    LEFT JOIN owing w ON w.stay_id = b.stay_id
    LEFT JOIN LATERAL (
      SELECT b.stay_id AS "stayId", g.manage_id AS "stayGuestId", b.stay_state AS state, b.unit, g.name AS "guestName",
        g.number AS "guestCount", iso(b.stay_starts) AS "startsAt", iso(b.stay_ends) AS "endsAt", b.breakfast,
        b.state = 'in_house' AND b.stay_ends <= $2::timestamptz AS expired, w.stay_id IS NOT NULL AS owed
    ) stay ON b.stay_id IS NOT NULL
  ) bar`;

/**
 * Returns rooms and days with their occupancies, of the shape `timelineOutput`; the rooms come from the board in
 * memory, at least as new as `boardVersion`. @throws no_permission
 */
export async function read(
  scope: Scope,
  boards: Pick<BoardReader, "readForOverview">,
  boardVersion: string,
  { from, before = 0, days }: z.infer<typeof timelineInput>,
): Promise<JsonText<Timeline>> {
  scope.require("stays.view");
  const { timeZone } = scope.hotel;
  const midnight = (date: string): string => atLocal(date, "00:00", timeZone);
  const first = addDays(from ?? localDate(scope.now().toISOString(), timeZone), -before);
  const dates = Array.from({ length: days }, (_, at) => addDays(first, at));
  const endsAt = midnight(addDays(first, days));
  const { version, groups, rooms } = await boards.readForOverview(scope, boardVersion);
  const used = new Set(rooms.map(({ groupId }) => groupId));
  const [row] = await scope.sql.rows<{ bars: string }>(
    BARS,
    scope.now(),
    rooms.map(({ id }) => id),
    midnight(first),
    endsAt,
  );
  if (!row) throw new Error(`the bars of hotel ${scope.hotelId} returned no row`);
  const frame: Omit<Timeline, "bars"> = {
    version,
    days: dates.map((date) => ({ date, startsAt: midnight(date) })),
    endsAt,
    groups: groups.filter(({ id }) => used.has(id)),
    rooms: rooms.map(({ lock, id, name, remarkName, groupId, sort, status }) => ({
      ...{ id, name, remarkName, groupId, sort, status, lockOnline: lock?.online ?? null },
    })),
  };
  return new JsonText(`${JSON.stringify(frame).slice(0, -1)},"bars":[${row.bars}]}`);
}
