import { atLocal, type LocalDate, localDate } from "@innkey/shared/hotel-time";
import type { BreakfastDay, BreakfastGuest } from "@innkey/shared/schemas/stays/breakfast";
import type { HotelQuery, HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";

/**
 * Who has breakfast on a morning: guests of stays with breakfast that have used the night before it and have not left
 * before that hotel day began. A stay counts by its planned departure, so that who overstays has none until the stay is
 * renewed; who checked out before the buffet opened has none unless ticked. Reservations count for mornings to come.
 * $2 date, $3 when its hotel day begins, $4 when breakfast begins, $5 when it ends, $6 rooms or null, $7 today.
 */
const GUESTS = `
  SELECT sg.id AS "stayGuestId", s.id AS "stayId", r.id AS "roomId", r.name AS "roomName", g.name,
    CASE s.state WHEN 'checked_in' THEN 'in' WHEN 'checked_out' THEN 'out' ELSE 'expected' END AS state,
    iso(b.used_at) AS "usedAt", (SELECT name FROM operator WHERE id = b.operator_id) AS "operatorName"
  FROM stay s
  JOIN LATERAL (
    SELECT o.room_id FROM occupancy o
     WHERE o.hotel_id = s.hotel_id AND o.stay_id = s.id AND o.state <> 'cancelled'
     ORDER BY o.starts_at <= $5::timestamptz DESC, CASE WHEN o.starts_at <= $5::timestamptz THEN o.starts_at END DESC,
       o.starts_at, o.id LIMIT 1
  ) o ON true
  JOIN room r ON r.hotel_id = s.hotel_id AND r.id = o.room_id
  JOIN stay_guest sg ON sg.hotel_id = s.hotel_id AND sg.stay_id = s.id
  JOIN guest g ON g.hotel_id = s.hotel_id AND g.id = sg.guest_id
  LEFT JOIN breakfast b ON b.stay_guest_id = sg.id AND b.date = $2::date
  WHERE s.hotel_id = $1 AND s.breakfast AND s.starts_at < $3::timestamptz
    AND coalesce(s.checked_out_at, s.ends_at) > $3::timestamptz
    AND (s.state = 'checked_in' OR (s.state = 'reserved' AND $2::date > $7::date)
      OR (s.state = 'checked_out' AND (s.checked_out_at >= $4::timestamptz OR b.date IS NOT NULL)))
    AND ($6::int[] IS NULL OR r.id = ANY ($6::int[]))
  ORDER BY r.sort, r.id, s.id, sg."primary" DESC, sg.id`;

type Hours = Pick<BreakfastDay, "from" | "to" | "priceMinor">;

async function hours(sql: HotelSql): Promise<Hours> {
  const [row] = await sql.rows<Hours>(
    `SELECT breakfast_from AS "from", breakfast_to AS "to", breakfast_price_minor AS "priceMinor" FROM hotel WHERE id = $1`,
  );
  if (!row) throw new Error("the hotel of a live session is gone");
  return row;
}

/** Returns today's date in the hotel's time zone. */
export function hotelToday(scope: Scope): LocalDate {
  return localDate(scope.now().toISOString(), scope.hotel.timeZone);
}

/** Returns the guests' statement for the caller's rooms. */
function guestsQuery(scope: Scope, date: LocalDate, { from, to }: Hours): HotelQuery {
  const { timeZone, dayStartTime } = scope.hotel;
  const [startTime, opens, closes] = [dayStartTime, from, to].map((time) => atLocal(date, time, timeZone));
  return { text: GUESTS, values: [date, startTime, opens, closes, scope.roomIds, hotelToday(scope)] };
}

/** Returns the statement of the list. */
export async function breakfastListQuery(scope: Scope, date: LocalDate = hotelToday(scope)): Promise<HotelQuery> {
  return guestsQuery(scope, date, await hours(scope.sql));
}

/** Returns the breakfast list of a date, also within a transaction. */
export async function breakfastOf(scope: Scope, sql: HotelSql, date: LocalDate): Promise<BreakfastDay> {
  const opening = await hours(sql);
  const { text, values } = guestsQuery(scope, date, opening);
  const guests = await sql.rows<BreakfastGuest>(text, ...values);
  return { date, today: hotelToday(scope), ...opening, guests };
}

/** @throws no_permission */
export async function list(scope: Scope, date: LocalDate = hotelToday(scope)): Promise<BreakfastDay> {
  scope.require("breakfast.manage");
  return breakfastOf(scope, scope.sql, date);
}
