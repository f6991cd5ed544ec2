import { uidCandidates } from "@innkey/shared/cards/uid";
import { DomainError } from "@innkey/shared/errors";
import { atLocal, type LocalDate, localDate } from "@innkey/shared/hotel-time";
import type { BreakfastDay, BreakfastGuest, BreakfastTick } from "@innkey/shared/schemas/stays/breakfast";
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
 * Returns the breakfast of a date with those of `stayGuestIds` only, and locks their stays. The caller must have checked
 * the permission. @throws invalid_input for a future date; not_found for a guest without breakfast on that date
 */
export async function selectServedForUpdate(
  scope: Scope,
  tx: Transaction,
  { date, stayGuestIds }: Pick<BreakfastTick, "date" | "stayGuestIds">,
): Promise<BreakfastDay> {
  const day = await breakfastOf(scope, tx.sql, date);
  const requested = new Set(stayGuestIds);
  const guests = day.guests.filter(({ stayGuestId }) => requested.has(stayGuestId));
  if (guests.length !== requested.size) throw new DomainError("not_found");
  if (date > day.today) throw new DomainError("invalid_input", {}, { date: { key: "validation.date" } });
  await lockStays(tx, guests);
  return { ...day, guests };
}

/** Returns today's breakfast with the guests of one stay only, and locks the stay. The caller must have checked the permission. */
export async function selectPartyForUpdate(scope: Scope, tx: Transaction, stayId: number): Promise<BreakfastDay> {
  const day = await breakfastOf(scope, tx.sql, hotelToday(scope));
  const guests = day.guests.filter((guest) => guest.stayId === stayId);
  await lockStays(tx, guests);
  return { ...day, guests };
}

/** Locks stays whose bills are about to change, in the order of their ids, so that two desks never wait for one another. */
async function lockStays(tx: Transaction, guests: readonly BreakfastGuest[]): Promise<void> {
  await tx.sql.rows(
    "SELECT id FROM stay WHERE hotel_id = $1 AND id = ANY ($2::int[]) ORDER BY id FOR NO KEY UPDATE",
    guests.map(({ stayId }) => stayId),
  );
}

/** A mark that was made or taken back, and the entry that charged it; null if it was not charged. */
export interface BreakfastMark {
  stayGuestId: number;
  folioEntryId: number | null;
}

/** Inserts marks and returns the new ones; a guest marked concurrently by another desk keeps that desk's mark. */
export async function insertTicks(
  scope: Scope,
  tx: Transaction,
  { date, guests }: Pick<BreakfastDay, "date" | "guests">,
): Promise<BreakfastMark[]> {
  const marks = await tx.sql.rows<BreakfastMark>(
    `INSERT INTO breakfast (hotel_id, stay_guest_id, date, used_at, operator_id)
     SELECT $1, id, $3::date, $4::timestamptz, $5::int FROM unnest($2::int[]) AS id ORDER BY id
     ON CONFLICT (stay_guest_id, date) DO NOTHING
     RETURNING stay_guest_id AS "stayGuestId", folio_entry_id AS "folioEntryId"`,
    guests.map(({ stayGuestId }) => stayGuestId),
    date,
    scope.now(),
    scope.operatorId,
  );
  auditTicks(tx, "breakfast.tick", guests, marks, date);
  return marks;
}

/** Records which entry charged the marks of these guests. */
export async function setTicksEntry(
  tx: Transaction,
  stayGuestIds: readonly number[],
  date: LocalDate,
  folioEntryId: number,
): Promise<void> {
  await tx.sql.rows(
    `UPDATE breakfast SET folio_entry_id = $4::int
      WHERE hotel_id = $1 AND stay_guest_id = ANY ($2::int[]) AND date = $3::date`,
    stayGuestIds,
    date,
    folioEntryId,
  );
}

/** Deletes marks and returns those that there were. */
export async function deleteTicks(
  tx: Transaction,
  { date, guests }: Pick<BreakfastDay, "date" | "guests">,
): Promise<BreakfastMark[]> {
  const marks = await tx.sql.rows<BreakfastMark>(
    `DELETE FROM breakfast WHERE hotel_id = $1 AND stay_guest_id = ANY ($2::int[]) AND date = $3::date
     RETURNING stay_guest_id AS "stayGuestId", folio_entry_id AS "folioEntryId"`,
    guests.map(({ stayGuestId }) => stayGuestId),
    date,
  );
  auditTicks(tx, "breakfast.untick", guests, marks, date);
  return marks;
}

function auditTicks(
  tx: Transaction,
  action: "breakfast.tick" | "breakfast.untick",
  guests: readonly BreakfastGuest[],
  marks: readonly BreakfastMark[],
  date: LocalDate,
): void {
  const ids = new Set(marks.map(({ stayGuestId }) => stayGuestId));
  for (const { stayGuestId, roomName } of guests.filter((guest) => ids.has(guest.stayGuestId))) {
    tx.audit({ action, entity: "stayGuest", entityId: stayGuestId, after: { date, roomName } });
  }
}

/** The in-house party that holds a room card. */
export interface CardHolder {
  stayId: number;
  roomName: string;
}

/** Returns the party of a room card in the caller's rooms; undefined if nobody in the house holds it. */
export async function readCardHolder(scope: Scope, sql: HotelSql, number: string): Promise<CardHolder | undefined> {
  const [holder] = await sql.rows<CardHolder>(
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
  return holder;
}
