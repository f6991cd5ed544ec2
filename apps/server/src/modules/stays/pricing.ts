import type { StayUnit } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { MAX_STAY_MINOR } from "@innkey/shared/money";
import {
  agreedLine,
  creditOf,
  type Period,
  type Quoted,
  type QuoteLine,
  quoteRenewal,
  quoteStay,
  type RoomPrices,
  restOf,
  totalOf,
} from "@innkey/shared/quote";
import type { HotelSql } from "../../core/hotel-database.ts";
import type { HotelContext, Scope } from "../../core/scope.ts";
import { netLines } from "./standing-lines.ts";

/** A room as a booking sees it. */
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
  WHERE r.hotel_id = $1 AND r.id = $2 AND r.archived_at IS NULL`;

/** @throws not_found also for a room the caller wasn't granted */
export async function readRoom(scope: Scope, sql: HotelSql, roomId: number): Promise<PricedRoom> {
  scope.requireRoom(roomId);
  const [room] = await sql.rows<PricedRoom>(ROOM, roomId);
  if (!room) throw new DomainError("not_found");
  return room;
}

/**
 * The same, and bookings of the room queue up behind this one. The constraint would refuse the losers anyway; the lock
 * spares them the deadlock that two simultaneous inserts into an exclusion constraint end in.
 */
export async function lockRoom(scope: Scope, sql: HotelSql, roomId: number): Promise<PricedRoom> {
  await sql.rows("SELECT id FROM room WHERE hotel_id = $1 AND id = $2 FOR NO KEY UPDATE", roomId);
  return readRoom(scope, sql, roomId);
}

function linesOf(quoted: Quoted): QuoteLine[] {
  if ("refusal" in quoted) throw new DomainError("price_missing", { unit: "hour" });
  checkCharged(quoted.totalMinor);
  return quoted.lines;
}

/** @throws invalid_input for a stay that would be charged more, all together, than its account can hold */
export function checkCharged(chargedMinor: number): void {
  if (chargedMinor > MAX_STAY_MINOR) {
    throw new DomainError("invalid_input", {}, { endsAt: { key: "validation.stayTooLong" } });
  }
}

function pricesOf(room: PricedRoom): RoomPrices {
  if (!room.prices) throw new DomainError("price_missing", { unit: "day", roomName: room.name });
  return room.prices;
}

/** What a new stay costs; an agreed total replaces the quote. @throws price_missing */
export function priceStay(
  room: PricedRoom,
  period: Period,
  unit: StayUnit,
  hotel: HotelContext,
  agreedTotalMinor: number | null = null,
): QuoteLine[] {
  if (agreedTotalMinor !== null) return [agreedLine(period, agreedTotalMinor, hotel)];
  return linesOf(quoteStay(period, unit, pricesOf(room), hotel));
}

export function priceRenewal(
  room: PricedRoom,
  stay: Period,
  endsAt: string,
  unit: StayUnit,
  hotel: HotelContext,
  agreedTotalMinor: number | null = null,
): QuoteLine[] {
  if (agreedTotalMinor !== null) {
    return [agreedLine({ startsAt: stay.endsAt, endsAt }, agreedTotalMinor, hotel)];
  }
  return linesOf(quoteRenewal(stay, endsAt, unit, pricesOf(room), hotel));
}

export interface Exchange {
  credit: QuoteLine[];
  charge: QuoteLine[];
  differenceMinor: number;
}

/** What moving to `room` at `cut` gives back of the lines charged so far, and what the rest costs there. */
export function priceExchange(
  charged: readonly QuoteLine[],
  chargedMinor: number,
  room: PricedRoom,
  stay: Period & { unit: StayUnit },
  cut: string,
  hotel: HotelContext,
  agreedTotalMinor: number | null = null,
): Exchange {
  const credit = creditOf(restOf(charged, cut, hotel));
  const charge =
    agreedTotalMinor === null
      ? restOf(priceStay(room, stay, stay.unit, hotel), cut, hotel)
      : [agreedLine({ startsAt: cut, endsAt: stay.endsAt }, agreedTotalMinor, hotel)];
  // What was refunded by hand before is not given back a second time.
  const differenceMinor = Math.max(totalOf(credit) + totalOf(charge), -chargedMinor);
  return { credit, charge, differenceMinor };
}

/** The lines charged for a stay that still stand; what of one was given back in part stands beside it. */
export async function readLines(sql: HotelSql, stayId: number): Promise<QuoteLine[]> {
  const lines = await sql.rows<QuoteLine>(
    `SELECT l.kind::text AS kind, to_char(l.date, 'YYYY-MM-DD') AS date, iso(l.starts_at) AS "startsAt",
            iso(l.ends_at) AS "endsAt", l.quantity, l.unit_minor AS "unitMinor", l.amount_minor AS "amountMinor"
       FROM order_line l JOIN orders o ON o.id = l.order_id AND o.hotel_id = l.hotel_id
      WHERE l.hotel_id = $1 AND o.stay_id = $2 ORDER BY l.id`,
    stayId,
  );
  return netLines(lines);
}

/** @throws price_changed with the total that holds now, so that the desk can show it */
export function checkExpected(expectedMinor: number | null, actualMinor: number): void {
  if (expectedMinor !== null && expectedMinor !== actualMinor) {
    throw new DomainError("price_changed", { expectedMinor, actualMinor });
  }
}
