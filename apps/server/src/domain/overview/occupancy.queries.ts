import { addDays, addMonths, atLocal, daysBetween, localDate } from "@innkey/shared/hotel-time";
import type { OccupancyInput, OccupancyRow, occupancyOutput } from "@innkey/shared/schemas/overview/occupancy";
import type { z } from "zod";
import type { HotelQuery } from "../../kernel/hotel-database.ts";
import type { Scope } from "../../kernel/scope.ts";
import { NIGHT_TIME } from "./home.queries.ts";

/**
 * The figures of some nights, by day, week or month. $2 the dates, $3 a time in each of their nights, $4 the rooms (null:
 * all), $5 the current time, $6 the time zone, $7 what a row is.
 *
 * A room is sold in a night if guests have it or reserved it at that time, as on the home page; a party that is still in
 * the house has its room until now. It could be let unless it was out of service. A room counts from its first guest on,
 * because older stays may have been entered later than they were. Revenue is what a stay is charged for its room, spread
 * over its nights as its lines are, so that what was refunded without a line lowers each night alike.
 */
const OCCUPANCY = `
WITH night AS (
    SELECT n.i, n.date, n.at, date_trunc($7::text, n.date::timestamp)::date AS bucket
    FROM unnest($2::date[], $3::timestamptz[]) WITH ORDINALITY AS n (date, at, i)
  ),
  mine AS (
    SELECT r.id, r.deleted_at, least(r.created_at,
      (SELECT min(o.starts_at) FROM occupancy o WHERE o.hotel_id = $1 AND o.room_id = r.id)) AS since
    FROM room r WHERE r.hotel_id = $1 AND ($4::int[] IS NULL OR r.id = ANY ($4::int[]))
  ),
  existing AS (
    SELECT n.i, count(*)::int AS rooms FROM night n
    JOIN mine m ON m.since <= n.at AND (m.deleted_at IS NULL OR m.deleted_at > n.at) GROUP BY n.i
  ),
  span AS (
    SELECT o.room_id, o.kind, width_bucket(o.starts_at - interval '1 microsecond', $3::timestamptz[]) + 1 AS first,
      CASE WHEN e.ends_at IS NULL THEN cardinality($3::timestamptz[])
        ELSE width_bucket(e.ends_at - interval '1 microsecond', $3::timestamptz[]) END AS last
    FROM occupancy o
    CROSS JOIN LATERAL (SELECT CASE WHEN o.state = 'in_house' THEN greatest(o.ends_at, $5::timestamptz) ELSE o.ends_at END AS ends_at) e
    WHERE o.hotel_id = $1 AND o.state <> 'cancelled' AND ($4::int[] IS NULL OR o.room_id = ANY ($4::int[]))
      AND o.starts_at <= ($3::timestamptz[])[cardinality($3::timestamptz[])]
      AND (e.ends_at IS NULL OR e.ends_at > ($3::timestamptz[])[1])
  ),
  used AS (
    SELECT s.kind, d.i, count(DISTINCT s.room_id)::int AS rooms
    FROM span s CROSS JOIN LATERAL generate_series(s.first, s.last) AS d (i) GROUP BY s.kind, d.i
  ),
  stays AS (
    SELECT s.id FROM stay_now s
    WHERE s.hotel_id = $1 AND ($4::int[] IS NULL OR s.room_id = ANY ($4::int[]))
      AND s.starts_at <= ($3::timestamptz[])[cardinality($3::timestamptz[])]
      AND greatest(s.ends_at, s.checked_out_at) > ($3::timestamptz[])[1] - interval '1 day'
  ),
  line AS (
    SELECT e.stay_id, l.date AS first, l.amount_minor::float8 AS minor,
      greatest(1, (l.ends_at AT TIME ZONE $6::text)::date - l.date) AS nights
    FROM stays s
    JOIN folio_entry e ON e.hotel_id = $1 AND e.stay_id = s.id
    JOIN folio_entry_line l ON l.hotel_id = $1 AND l.folio_entry_id = e.id
  ),
  charge AS (
    SELECT t.stay_id, a.room_charged_minor / nullif(t.minor, 0) AS share
    FROM (SELECT stay_id, sum(minor) AS minor FROM line GROUP BY stay_id) t
    JOIN stay_account a ON a.hotel_id = $1 AND a.stay_id = t.stay_id
  ),
  revenue AS (
    SELECT l.first + d.night AS date, sum(l.minor / l.nights * c.share) AS minor
    FROM line l JOIN charge c ON c.stay_id = l.stay_id
    CROSS JOIN LATERAL generate_series(0, l.nights - 1) AS d (night) GROUP BY 1
  )
SELECT to_char(min(n.date), 'YYYY-MM-DD') AS "from", to_char(max(n.date), 'YYYY-MM-DD') AS "to",
  coalesce(sum(greatest(0, e.rooms - coalesce(m.rooms, 0))), 0)::int AS rooms, coalesce(sum(u.rooms), 0)::int AS sold,
  coalesce(round(sum(v.minor)), 0)::float8 AS "revenueMinor"
FROM night n
LEFT JOIN existing e ON e.i = n.i
LEFT JOIN used u ON u.i = n.i AND u.kind = 'stay'
LEFT JOIN used m ON m.i = n.i AND m.kind = 'maintenance'
LEFT JOIN revenue v ON v.date = n.date
GROUP BY n.bucket ORDER BY n.bucket`;

/** Returns the nights that are asked for; what is left out is that of the current month. */
function nightsOf(scope: Scope, { from, to }: Pick<OccupancyInput, "from" | "to">): { from: string; to: string } {
  const month = `${localDate(scope.now().toISOString(), scope.hotel.timeZone).slice(0, 7)}-01`;
  const first = from ?? (to === undefined ? month : `${to.slice(0, 7)}-01`);
  return { from: first, to: to ?? addDays(addMonths(`${first.slice(0, 7)}-01`, 1), -1) };
}

/** Returns the statement of the report. */
export function occupancyQuery(scope: Scope, input: OccupancyInput): HotelQuery {
  const { timeZone } = scope.hotel;
  const { from, to } = nightsOf(scope, input);
  const dates = Array.from({ length: daysBetween(from, to) + 1 }, (_, day) => addDays(from, day));
  const instants = dates.map((date) => atLocal(addDays(date, 1), NIGHT_TIME, timeZone));
  return { text: OCCUPANCY, values: [dates, instants, scope.roomIds, scope.now().toISOString(), timeZone, input.by] };
}

/**
 * Returns rooms, sold rooms and room revenue of some nights, past or booked, for the caller's rooms. @throws
 * no_permission
 */
export async function occupancy(scope: Scope, input: OccupancyInput): Promise<z.infer<typeof occupancyOutput>> {
  scope.require("reports.view");
  const { text, values } = occupancyQuery(scope, input);
  return { ...nightsOf(scope, input), rows: await scope.sql.rows<OccupancyRow>(text, ...values) };
}
