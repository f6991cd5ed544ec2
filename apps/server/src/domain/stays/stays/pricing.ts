import type { StayUnit } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { MAX_STAY_MINOR, majorUnit } from "@innkey/shared/money";
import {
  agreedLine,
  type ChargedStay,
  creditOf,
  isHourLine,
  type Period,
  type Quoted,
  type QuoteLine,
  quoteRenewal,
  quoteStay,
  type RoomPrices,
  restOf,
  totalOf,
} from "@innkey/shared/price-rules";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { HotelContext, Scope } from "../../../kernel/scope.ts";

const keyOf = (line: QuoteLine, sign: 1 | -1): string =>
  [
    line.kind,
    line.date,
    line.startsAt,
    line.endsAt,
    line.quantity,
    line.unitMinor * sign,
    line.amountMinor * sign,
  ].join();

/**
 * Returns the lines still in effect: a line that was refunded in full is removed together with its refund. Otherwise
 * each further change of a stay would refund and charge all former lines again and double their number.
 */
export function netLines(lines: readonly QuoteLine[]): QuoteLine[] {
  /** Indexes of the lines still in effect, by their key. */
  const indexes = new Map<string, number[]>();
  const removed = new Set<number>();
  lines.forEach((line, index) => {
    const opposite = line.amountMinor === 0 ? undefined : indexes.get(keyOf(line, -1))?.pop();
    if (opposite !== undefined) {
      removed.add(opposite).add(index);
      return;
    }
    const key = keyOf(line, 1);
    const sameKey = indexes.get(key);
    if (sameKey) sameKey.push(index);
    else indexes.set(key, [index]);
  });
  return lines.filter((_line, index) => !removed.has(index));
}

/** The data of a room that a booking needs. */
export interface PricedRoom {
  id: number;
  name: string;
  condition: "clean" | "dirty";
  prices: RoomPrices | null;
}

const ROOM = `SELECT r.id, r.name, r.condition::text AS condition,
  CASE WHEN p.room_id IS NULL THEN NULL ELSE jsonb_build_object(
    'depositMinor', p.deposit_minor, 'usualMinor', p.usual_minor, 'weekendMinor', p.weekend_minor,
    'renewalMinor', p.renewal_minor, 'hourMinor', p.hour_minor, 'monthMinor', p.month_minor, 'yearMinor', p.year_minor,
    'dates', coalesce((SELECT jsonb_object_agg(to_char(d.date, 'YYYY-MM-DD'), d.price_minor) FROM room_price_date d
                        WHERE d.hotel_id = r.hotel_id AND d.room_id = r.id), '{}')) END AS prices
  FROM room r LEFT JOIN room_price p ON p.room_id = r.id
  WHERE r.hotel_id = $1 AND r.id = $2 AND r.deleted_at IS NULL`;

/** @throws not_found also for a room the caller can't see */
export async function readRoom(scope: Scope, sql: HotelSql, roomId: number): Promise<PricedRoom> {
  scope.requireRoom(roomId);
  const [room] = await sql.prepared<PricedRoom>("priced-room", ROOM, roomId);
  if (!room) throw new DomainError("not_found");
  return room;
}

/**
 * Reads the room and locks its row, so that bookings of one room run one after the other. The exclusion constraint
 * would refuse a second booking anyway; the lock avoids the deadlock that two simultaneous inserts would cause.
 */
export async function selectRoomForUpdate(scope: Scope, sql: HotelSql, roomId: number): Promise<PricedRoom> {
  await sql.prepared("lock-room", "SELECT id FROM room WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", roomId);
  return readRoom(scope, sql, roomId);
}

/** @throws price_missing, invalid_input */
function requireLines(quoted: Quoted): QuoteLine[] {
  if ("refusal" in quoted) throw new DomainError("price_missing", { unit: "hour" });
  checkCharged(quoted.totalMinor);
  return quoted.lines;
}

/** @throws invalid_input if the total charge of a stay exceeds what its folio can store */
export function checkCharged(chargedMinor: number): void {
  if (chargedMinor > MAX_STAY_MINOR) {
    throw new DomainError("invalid_input", {}, { endsAt: { key: "validation.stayTooLong" } });
  }
}

/** @throws price_missing */
function requirePrices(room: PricedRoom): RoomPrices {
  if (!room.prices) throw new DomainError("price_missing", { unit: "day", roomName: room.name });
  return room.prices;
}

/** @throws invalid_input for a total under one major unit (source: specification, section 5) */
function agreedLines(period: Period, unit: StayUnit, totalMinor: number, hotel: HotelContext): QuoteLine[] {
  if (totalMinor < majorUnit(hotel.currency)) {
    throw new DomainError("invalid_input", {}, { agreedTotalMinor: { key: "validation.price" } });
  }
  return [agreedLine(period, unit, totalMinor, hotel)];
}

/**
 * Returns the price of a new stay, line by line; an agreed total replaces the quote. @throws price_missing;
 * invalid_input for an agreed total under one major unit, or a quote above what a folio can store
 */
export function priceStay(
  room: PricedRoom,
  period: Period,
  unit: StayUnit,
  hotel: HotelContext,
  agreedTotalMinor: number | null = null,
): QuoteLine[] {
  if (agreedTotalMinor !== null) return agreedLines(period, unit, agreedTotalMinor, hotel);
  return requireLines(quoteStay(period, unit, requirePrices(room), hotel));
}

/**
 * Returns what moving the stay's departure to `endsAt` costs in addition, line by line; an agreed total replaces the
 * quote. @throws as `priceStay`
 */
export function priceRenewal(
  room: PricedRoom,
  stay: ChargedStay,
  endsAt: string,
  unit: StayUnit,
  hotel: HotelContext,
  agreedTotalMinor: number | null = null,
): QuoteLine[] {
  if (agreedTotalMinor !== null) {
    return agreedLines({ startsAt: stay.endsAt, endsAt }, unit, agreedTotalMinor, hotel);
  }
  return requireLines(quoteRenewal(stay, endsAt, unit, requirePrices(room), hotel));
}

/**
 * Returns the price of the same stay in `room`. Where hours and nights were charged together, hours are priced by the
 * hour and nights by the day, whatever the stay was booked by; otherwise the stay is priced as if it were booked now.
 * @throws price_missing
 */
export function priceAgain(
  charged: readonly QuoteLine[],
  room: PricedRoom,
  stay: Period & { unit: StayUnit },
  hotel: HotelContext,
): QuoteLine[] {
  const hours = charged.filter(isHourLine);
  const nights = charged.filter((line) => !isHourLine(line));
  if (hours.length === 0 || nights.length === 0) return priceStay(room, stay, stay.unit, hotel);
  const byHour = hours.flatMap((line) => {
    const lines = priceStay(room, line, "hour", hotel);
    return line.amountMinor < 0 ? creditOf(lines) : lines;
  });
  const unit = unitOf(charged, stay.unit);
  return [...mergePeriods(nights).flatMap((period) => priceStay(room, period, unit, hotel)), ...byHour];
}

/** Returns the unit by which other days are priced: a stay that paid for a night is priced by the day or longer. */
export function unitOf(charged: readonly QuoteLine[], bookedUnit: StayUnit): StayUnit {
  return bookedUnit === "hour" && !charged.every(isHourLine) ? "day" : bookedUnit;
}

/** Returns the periods of the lines, those that touch or overlap as one. */
function mergePeriods(lines: readonly QuoteLine[]): Period[] {
  const periods: Period[] = [];
  for (const { startsAt, endsAt } of lines.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))) {
    const last = periods.at(-1);
    if (!last || startsAt > last.endsAt) periods.push({ startsAt, endsAt });
    else if (endsAt > last.endsAt) last.endsAt = endsAt;
  }
  return periods;
}

export interface Exchange {
  credit: QuoteLine[];
  charge: QuoteLine[];
  differenceMinor: number;
}

/**
 * Returns the refund of lines charged so far and the price of the rest when the party moves to `room` at `cut`.
 * @throws as `priceStay`
 */
export function priceExchange(
  charged: readonly QuoteLine[],
  roomChargedMinor: number,
  room: PricedRoom,
  stay: Period & { unit: StayUnit },
  cut: string,
  hotel: HotelContext,
  agreedTotalMinor: number | null = null,
): Exchange {
  const remaining = restOf(charged, cut, hotel);
  const credit = creditOf(remaining);
  const charge =
    agreedTotalMinor === null
      ? restOf(priceAgain(charged, room, stay, hotel), cut, hotel)
      : agreedLines({ startsAt: cut, endsAt: stay.endsAt }, unitOf(remaining, stay.unit), agreedTotalMinor, hotel);
  // Amounts that were already refunded manually must not be refunded again.
  const differenceMinor = Math.max(totalOf(credit) + totalOf(charge), -roomChargedMinor);
  return { credit, charge, differenceMinor };
}

/**
 * Returns the lines charged for a stay that are still in effect; a partly refunded line is listed together with its
 * partial refund.
 */
export async function readLines(sql: HotelSql, stayId: number): Promise<QuoteLine[]> {
  const lines = await sql.rows<QuoteLine>(
    `SELECT l.kind::text AS kind, to_char(l.date, 'YYYY-MM-DD') AS date, iso(l.starts_at) AS "startsAt",
            iso(l.ends_at) AS "endsAt", l.quantity, l.unit_minor AS "unitMinor", l.amount_minor AS "amountMinor",
            CASE WHEN l.kind = 'agreed' THEN coalesce(l.agreed_unit, s.unit)::text END AS "agreedUnit"
       FROM folio_entry_line l JOIN folio_entry o ON o.id = l.folio_entry_id AND o.hotel_id = l.hotel_id
       JOIN stay s ON s.id = o.stay_id AND s.hotel_id = o.hotel_id
      WHERE l.hotel_id = $1 AND o.stay_id = $2 ORDER BY l.id`,
    stayId,
  );
  return netLines(lines);
}

/** @throws price_changed with the current total, so that the desk can show it */
export function checkExpected(expectedMinor: number | null, actualMinor: number): void {
  if (expectedMinor !== null && expectedMinor !== actualMinor) {
    throw new DomainError("price_changed", { expectedMinor, actualMinor });
  }
}
