import { uidCandidates } from "@innkey/shared/cards/uid";
import { DomainError } from "@innkey/shared/errors";
import { atLocal, type LocalDate, localDate } from "@innkey/shared/hotel-time";
import type {
  BreakfastDay,
  BreakfastGuest,
  BreakfastTick,
  breakfastOfCard,
} from "@innkey/shared/schemas/stays/breakfast";
import type { z } from "zod";
import type { HotelQuery, HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/**
 * Guests with breakfast on a date: those of stays with breakfast that began before the hotel day and did not end before
 * it. A stay counts by its planned departure, so an overdue party has none until the stay is renewed. A party that
 * checked out before the buffet opened has none unless it was ticked. Reservations count for future dates.
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

async function readHours(sql: HotelSql): Promise<Hours> {
  const [row] = await sql.rows<Hours>(
    `SELECT breakfast_from AS "from", breakfast_to AS "to", breakfast_price_minor AS "priceMinor" FROM hotel WHERE id = $1`,
  );
  if (!row) throw new Error("the hotel of a valid session doesn't exist");
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
  return guestsQuery(scope, date, await readHours(scope.sql));
}

/** Returns the breakfast list of a date, also within a transaction. */
export async function breakfastOf(scope: Scope, sql: HotelSql, date: LocalDate): Promise<BreakfastDay> {
  const hours = await readHours(sql);
  const { text, values } = guestsQuery(scope, date, hours);
  const guests = await sql.rows<BreakfastGuest>(text, ...values);
  return { date, today: hotelToday(scope), ...hours, guests };
}

/** @throws no_permission */
export async function list(scope: Scope, date: LocalDate = hotelToday(scope)): Promise<BreakfastDay> {
  scope.require("breakfast.manage");
  return breakfastOf(scope, scope.sql, date);
}

/**
 * Marks guests as having had breakfast, or undoes that. A guest counts once a day however often they are marked.
 * Returns how many changed. @throws no_permission; invalid_input for a future date; not_found for a guest without
 * breakfast on that date
 */
export async function tick(scope: Scope, { date, stayGuestIds, used }: BreakfastTick): Promise<{ changed: number }> {
  scope.require("breakfast.manage");
  return scope.write(async (tx) => {
    const { guests, today } = await breakfastOf(scope, tx.sql, date);
    const requested = new Set(stayGuestIds);
    const requestedGuests = guests.filter(({ stayGuestId }) => requested.has(stayGuestId));
    if (requestedGuests.length !== requested.size) throw new DomainError("not_found");
    if (date > today) throw new DomainError("invalid_input", {}, { date: { key: "validation.date" } });
    const changed = used
      ? await insertTicks(scope, tx, requestedGuests, date)
      : await deleteTicks(tx, requestedGuests, date);
    return { changed };
  });
}

/** Inserts marks; a guest marked concurrently by another desk keeps that desk's mark. */
async function insertTicks(
  scope: Scope,
  tx: Transaction,
  guests: readonly BreakfastGuest[],
  date: LocalDate,
): Promise<number> {
  const rows = await tx.sql.rows<{ id: number }>(
    `INSERT INTO breakfast (hotel_id, stay_guest_id, date, used_at, operator_id)
     SELECT $1, id, $3::date, $4::timestamptz, $5::int FROM unnest($2::int[]) AS id ORDER BY id
     ON CONFLICT (stay_guest_id, date) DO NOTHING RETURNING stay_guest_id AS id`,
    guests.map(({ stayGuestId }) => stayGuestId),
    date,
    scope.now(),
    scope.operatorId,
  );
  return auditTicks(tx, "breakfast.tick", guests, rows, date);
}

async function deleteTicks(tx: Transaction, guests: readonly BreakfastGuest[], date: LocalDate): Promise<number> {
  const rows = await tx.sql.rows<{ id: number }>(
    `DELETE FROM breakfast WHERE hotel_id = $1 AND stay_guest_id = ANY ($2::int[]) AND date = $3::date
     RETURNING stay_guest_id AS id`,
    guests.map(({ stayGuestId }) => stayGuestId),
    date,
  );
  return auditTicks(tx, "breakfast.untick", guests, rows, date);
}

function auditTicks(
  tx: Transaction,
  action: "breakfast.tick" | "breakfast.untick",
  guests: readonly BreakfastGuest[],
  changed: readonly { id: number }[],
  date: LocalDate,
): number {
  const ids = new Set(changed.map(({ id }) => id));
  for (const { stayGuestId, roomName } of guests.filter((guest) => ids.has(guest.stayGuestId))) {
    tx.audit({ action, entity: "stayGuest", entityId: stayGuestId, after: { date, roomName } });
  }
  return ids.size;
}

/**
 * Marks the whole party of a room card for today when the card is read at the buffet. Cards of no in-house party and of
 * parties without breakfast get their own results. @throws no_permission
 */
export async function tickByCard(scope: Scope, number: string): Promise<z.infer<typeof breakfastOfCard>> {
  scope.require("breakfast.manage");
  return scope.write(async (tx) => {
    const [holder] = await tx.sql.rows<{ stayId: number; roomName: string }>(
      `SELECT c.stay_id AS "stayId", r.name AS "roomName"
         FROM card c
         JOIN occupancy o ON o.hotel_id = c.hotel_id AND o.stay_id = c.stay_id AND o.state = 'in_house'
         JOIN room r ON r.hotel_id = o.hotel_id AND r.id = o.room_id
        WHERE c.hotel_id = $1 AND c.uid = ANY ($2::text[]) AND c.state IN ('pending', 'active')
          AND ($3::int[] IS NULL OR r.id = ANY ($3::int[]))
        ORDER BY array_position($2::text[], c.uid), c.id DESC LIMIT 1`,
      uidCandidates(number),
      scope.roomIds,
    );
    if (!holder) return { roomName: null, party: 0, ticked: 0 };
    const today = hotelToday(scope);
    const { guests } = await breakfastOf(scope, tx.sql, today);
    const party = guests.filter(({ stayId }) => stayId === holder.stayId);
    const ticked = party.length === 0 ? 0 : await insertTicks(scope, tx, party, today);
    return { roomName: holder.roomName, party: party.length, ticked };
  });
}
