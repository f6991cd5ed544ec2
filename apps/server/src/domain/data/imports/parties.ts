import { DomainError, type FieldMessage } from "@innkey/shared/errors";
import type { ImportColumn } from "@innkey/shared/imports/columns";
import {
  type CheckInInput,
  checkInInput,
  type GuestInput,
  type ReserveInput,
  reserveInput,
} from "@innkey/shared/schemas/stays/stays";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import { checkArrival, type PricedRoom, priceStay } from "../../stays/public.ts";
import type { RowStay } from "./guest-rows.ts";
import { checked, type Row } from "./table.ts";

/** Rows with the same room and arrival, booked together or not at all. */
export interface Party {
  rows: Row[];
  guests: GuestInput[];
  stay: RowStay;
}

export type Booking = { arriving: true; input: CheckInInput } | { arriving: false; input: ReserveInput };

export interface Rooms {
  byName: Map<string, PricedRoom>;
  taken: Map<number, { startsAt: number; endsAt: number }[]>;
}

/** Returns the rooms that the caller sees, with their prices and the periods in which they are taken. */
export async function readRooms(scope: Scope, sql: HotelSql, roomPricesJson: string): Promise<Rooms> {
  const rooms = await sql.rows<PricedRoom & { taken: [number, number | null][] }>(
    `SELECT r.id, r.name, r.condition::text AS condition, ${roomPricesJson} AS prices,
            coalesce((SELECT jsonb_agg(jsonb_build_array(extract(epoch FROM o.starts_at) * 1000, extract(epoch FROM
                        CASE WHEN o.state = 'in_house' THEN greatest(o.ends_at, $3::timestamptz) ELSE o.ends_at END) * 1000))
                        FROM occupancy o WHERE o.hotel_id = r.hotel_id AND o.room_id = r.id AND o.state IN ('held', 'in_house')), '[]') AS taken
       FROM room r WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($2::int[] IS NULL OR r.id = ANY ($2))`,
    scope.roomIds,
    scope.now(),
  );
  return {
    byName: new Map(rooms.map((room) => [room.name, room])),
    taken: new Map(
      rooms.map(({ id, taken: periods }) => [
        id,
        periods.map(([startsAt, endsAt]) => ({ startsAt, endsAt: endsAt ?? Number.POSITIVE_INFINITY })),
      ]),
    ),
  };
}

function columnOf(path: string): ImportColumn | null {
  if (path === "startsAt") return "arrival";
  if (path === "endsAt") return "departure";
  if (path === "agreedTotalMinor") return "price";
  if (path === "roomId") return "room";
  return path.startsWith("guests") ? "name" : null;
}

/**
 * Returns the party's stay as the desk would book it: checked in if the arrival is past, otherwise reserved. The
 * charges remain unpaid, and no deposit is taken. If it can't be booked, returns null and records the problems on the
 * first row.
 */
export function bookingOf(scope: Scope, { rows, guests, stay }: Party, rooms: Rooms): Booking | null {
  const [first] = rows;
  if (!first) return null;
  const room = rooms.byName.get(stay.room);
  if (!room) first.problem("room", { key: "imports.problem.roomUnknown" });
  if (stay.endsAt === null) first.problem("departure", { key: "validation.required" });
  if (!room || stay.endsAt === null) return null;
  const arriving = Date.parse(stay.startsAt) <= scope.now().getTime();
  const bookingInput = {
    roomId: room.id,
    unit: "day" as const,
    startsAt: stay.startsAt,
    endsAt: stay.endsAt,
    guests,
    agreedTotalMinor: stay.priceMinor,
  };
  const booking: Booking | null = arriving
    ? withInput(true, checked(first, checkInInput, { ...bookingInput, depositMinor: 0, confirmDirty: true }, columnOf))
    : withInput(false, checked(first, reserveInput, bookingInput, columnOf));
  if (!booking || first.wrong()) return null;
  const { startsAt, endsAt } = booking.input;
  refuse(first, () => {
    checkArrival(scope, startsAt, endsAt, arriving);
    priceStay(room, booking.input, "day", scope.hotel, stay.priceMinor);
  });
  const period = { startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) };
  const occupied = rooms.taken.get(room.id) ?? [];
  if (occupied.some((other) => other.startsAt < period.endsAt && period.startsAt < other.endsAt)) {
    first.problem("room", { key: "errors.room_taken" });
  }
  if (first.wrong()) return null;
  occupied.push(period);
  return booking;
}

function withInput<Arriving extends boolean, Input>(arriving: Arriving, input: Input | null) {
  return input && { arriving, input };
}

/** Records on the row what a domain rule refuses. */
function refuse(row: Row, rule: () => void): void {
  try {
    rule();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    noteRefusal(row, error);
  }
}

/** Records a refusal under the columns it names, or on the whole row. */
export function noteRefusal(row: Row, { code, params, fields }: DomainError): void {
  const fieldErrors: [string, FieldMessage][] = Object.entries(fields ?? {});
  if (fieldErrors.length === 0) row.problem(null, { key: `errors.${code}`, params });
  for (const [path, message] of fieldErrors) row.problem(columnOf(path), message);
}
