import { DomainError, type FieldMessage } from "@innkey/shared/errors";
import { atLocal } from "@innkey/shared/hotel-time";
import { type CellDate, plain, readAmount, readDate } from "@innkey/shared/imports/cells";
import type { ImportColumn } from "@innkey/shared/imports/columns";
import type { ImportRunInput } from "@innkey/shared/schemas/data";
import {
  type CheckInInput,
  checkInInput,
  type GuestInput,
  guestInput,
  type ReserveInput,
  reserveInput,
} from "@innkey/shared/schemas/stays/stays";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { HotelContext, Scope } from "../../../kernel/scope.ts";
import { withdrawOpeningsOf } from "../../access/public.ts";
import * as stays from "../../desk/public.ts";
import {
  checkArrival,
  documentHashes,
  guestElsewhereSql,
  type PricedRoom,
  priceStay,
  saveGuest,
  visibleGuestSql,
} from "../../stays/public.ts";
import { countryOf, documentTypeOf, genderOf, parseRow, type Row, refuseErrors, Table } from "./table.ts";

const COLUMNS: readonly ImportColumn[] = [
  "name",
  "gender",
  "nationality",
  "birthDate",
  "documentType",
  "documentNumber",
  "mobile",
  "email",
];

/** Reads a guest's identity from the row; returns null and records the problems if it is invalid. */
function readGuest(row: Row, table: Table): GuestInput | null {
  const word = <Value>(column: ImportColumn, read: (cell: string) => Value | null, key: string): Value | null => {
    const cell = row.cell(column);
    if (cell === "") return null;
    const value = read(cell);
    if (value === null) row.problem(column, { key });
    return value;
  };
  const values = {
    name: row.cell("name"),
    gender: word("gender", genderOf, "validation.choice"),
    nationality: word("nationality", countryOf, "validation.country"),
    birthDate: readDateCell(row, "birthDate", table)?.date ?? null,
    documentType: word("documentType", documentTypeOf, "validation.choice"),
    documentNumber: row.cell("documentNumber"),
    mobile: plain(row.cell("mobile")),
    email: row.cell("email"),
  };
  const guest = parseRow(row, guestInput, values, (path) => COLUMNS.find((column) => column === path) ?? null);
  return row.hasProblem() ? null : guest;
}

/** Reads a date, perhaps with a time of day; null for an empty cell, or an invalid one, whose problem is recorded. */
function readDateCell(row: Row, column: "birthDate" | "arrival" | "departure", { input }: Table) {
  const cell = row.cell(column);
  if (cell === "") return null;
  const day = readDate(cell, input.dateOrder);
  if (day === "ambiguous") row.problem(column, { key: "imports.problem.dateAmbiguous" });
  else if (day === null) row.problem(column, { key: "validation.date" });
  return typeof day === "string" ? null : day;
}

/** Room and period of a row's guest. */
interface RowStay {
  room: string;
  startsAt: string;
  /** null: same as for the rest of the party. */
  endsAt: string | null;
  priceMinor: number | null;
}

/**
 * Reads the stay from the row; null if there is none or it is invalid. Days without a time get the hotel's check-in and
 * check-out times.
 */
function readStay(row: Row, table: Table, hotel: HotelContext): RowStay | null {
  const room = row.cell("room");
  const present = { arrival: row.cell("arrival") !== "", departure: row.cell("departure") !== "" };
  if (room === "" && !present.arrival && !present.departure) return null;
  let hasProblem = false;
  const problem = (column: ImportColumn, key: string): void => {
    hasProblem = true;
    row.problem(column, { key });
  };
  if (room === "") problem("room", "validation.required");
  if (!present.arrival) problem("arrival", "validation.required");
  const arrival = readDateCell(row, "arrival", table);
  const departure = readDateCell(row, "departure", table);
  const price = row.cell("price");
  const priceMinor = price === "" ? null : readAmount(price, hotel.currency);
  if (price !== "" && priceMinor === null) problem("price", "validation.amount");
  if (hasProblem || !arrival || (present.departure && !departure)) return null;
  const at = ({ date, time }: CellDate, usual: string): string => atLocal(date, time ?? usual, hotel.timeZone);
  return {
    room,
    startsAt: at(arrival, hotel.checkInTime),
    endsAt: departure && at(departure, hotel.checkOutTime),
    priceMinor,
  };
}

/** Rows with the same room and arrival, booked together or not at all. */
interface Party {
  rows: Row[];
  guests: GuestInput[];
  stay: RowStay;
}

type Booking = { arriving: true; input: CheckInInput } | { arriving: false; input: ReserveInput };

interface Rooms {
  byName: Map<string, PricedRoom>;
  /** Periods in which a room is occupied, by its id; as milliseconds. */
  occupied: Map<number, { startsAt: number; endsAt: number }[]>;
}

/** Returns the rooms that the caller sees, with their prices and the periods in which they are occupied. */
async function readRooms(scope: Scope, sql: HotelSql): Promise<Rooms> {
  const rooms = await sql.rows<PricedRoom & { occupied: [number, number | null][] }>(
    `SELECT r.id, r.name, r.condition::text AS condition, 
            (SELECT p.prices FROM room_prices p WHERE p.hotel_id = $1 AND p.room_id = r.id) AS prices,
            coalesce((SELECT jsonb_agg(jsonb_build_array(extract(epoch FROM o.starts_at) * 1000, extract(epoch FROM
                        CASE WHEN o.state = 'in_house' THEN greatest(o.ends_at, $3::timestamptz) ELSE o.ends_at END) * 1000))
                        FROM occupancy o WHERE o.hotel_id = r.hotel_id AND o.room_id = r.id AND o.state IN ('held', 'in_house')), '[]') AS occupied
       FROM room r WHERE r.hotel_id = $1 AND r.deleted_at IS NULL AND ($2::int[] IS NULL OR r.id = ANY ($2))`,
    scope.roomIds,
    scope.now(),
  );
  return {
    byName: new Map(rooms.map((room) => [room.name, room])),
    occupied: new Map(
      rooms.map(({ id, occupied: periods }) => [
        id,
        periods.map(([startsAt, endsAt]) => ({ startsAt, endsAt: endsAt ?? Number.POSITIVE_INFINITY })),
      ]),
    ),
  };
}

/**
 * Returns the column under which a refusal of the booking is shown. Each guest was read from a row of their own before,
 * so what is still wrong with `guests` concerns the party as a whole and is shown at the name.
 */
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
function bookingOf(scope: Scope, { rows, guests, stay }: Party, rooms: Rooms): Booking | null {
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
    ? withInput(true, parseRow(first, checkInInput, { ...bookingInput, depositMinor: 0, confirmDirty: true }, columnOf))
    : withInput(false, parseRow(first, reserveInput, bookingInput, columnOf));
  if (!booking || first.hasProblem()) return null;
  const { startsAt, endsAt } = booking.input;
  tryRule(first, () => {
    checkArrival(scope, startsAt, endsAt, arriving);
    priceStay(room, booking.input, "day", scope.hotel, stay.priceMinor);
  });
  const period = { startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) };
  const occupied = rooms.occupied.get(room.id) ?? [];
  if (occupied.some((other) => other.startsAt < period.endsAt && period.startsAt < other.endsAt)) {
    first.problem("room", { key: "errors.room_taken" });
  }
  if (first.hasProblem()) return null;
  occupied.push(period);
  return booking;
}

function withInput<Arriving extends boolean, Input>(arriving: Arriving, input: Input | null) {
  return input && { arriving, input };
}

/** Calls a domain rule and records its refusal on the row. */
function tryRule(row: Row, rule: () => void): void {
  try {
    rule();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    recordRefusal(row, error);
  }
}

/** Records a refusal under the columns it names, or on the whole row. */
function recordRefusal(row: Row, { code, params, fields }: DomainError): void {
  const fieldErrors: [string, FieldMessage][] = Object.entries(fields ?? {});
  if (fieldErrors.length === 0) row.problem(null, { key: `errors.${code}`, params });
  for (const [path, message] of fieldErrors) row.problem(columnOf(path), message);
}

interface PlannedGuests {
  /** People without a stay. */
  people: { row: Row; guest: GuestInput }[];
  stays: { rows: Row[]; booking: Booking }[];
}

/** Plans what each row of a guest table would do. Rows with the same room and arrival form one party. */
export async function planGuests(scope: Scope, sql: HotelSql, table: Table): Promise<PlannedGuests> {
  const people: PlannedGuests["people"] = [];
  const parties = new Map<string, Party>();
  const incomplete = new Set<Party>();
  for (const row of table.rows) {
    const guest = readGuest(row, table);
    const stay = readStay(row, table, scope.hotel);
    if (!stay) {
      if (guest && !row.hasProblem()) people.push({ row, guest });
      continue;
    }
    const key = JSON.stringify([stay.room, stay.startsAt]);
    const party = parties.get(key) ?? { rows: [], guests: [], stay: { ...stay } };
    parties.set(key, party);
    party.rows.push(row);
    table.parties[row.index] = party.rows[0]?.index ?? row.index;
    if (guest) party.guests.push(guest);
    else incomplete.add(party);
    party.stay.endsAt ??= stay.endsAt;
    party.stay.priceMinor ??= stay.priceMinor;
    if (stay.endsAt !== null && stay.endsAt !== party.stay.endsAt) {
      row.problem("departure", { key: "imports.problem.partyDiffers" });
    }
    if (stay.priceMinor !== null && stay.priceMinor !== party.stay.priceMinor) {
      row.problem("price", { key: "imports.problem.partyDiffers" });
    }
  }
  const rooms = await readRooms(scope, sql);
  const booked = [...parties.values()].flatMap((party) => {
    const isComplete = !incomplete.has(party) && !party.rows.some((row) => row.hasProblem());
    const booking = isComplete ? bookingOf(scope, party, rooms) : null;
    if (booking) for (const { index } of party.rows) table.acts[index] = booking.arriving ? "checkIn" : "reserve";
    else refuseParty(party.rows);
    return booking ? [{ rows: party.rows, booking }] : [];
  });
  return { people: await selectNewPeople(scope, sql, table, people), stays: booked };
}

/** Records on the other rows that a party with one wrong row is not booked. */
function refuseParty(rows: readonly Row[]): void {
  for (const row of rows) if (!row.hasProblem()) row.problem(null, { key: "imports.problem.partyWrong" });
}

const identity = (name: string, mobile: string): string => JSON.stringify([name, mobile]);

/**
 * Selects the people without a stay to save. For a person whom the caller may see, the same name and document update
 * the record (where `saveGuest` does so), and the same name and phone are skipped. Everyone else is created, so that
 * the answer doesn't reveal other guests.
 */
async function selectNewPeople(scope: Scope, sql: HotelSql, table: Table, people: PlannedGuests["people"]) {
  const existing = await sql.rows<{ name: string; mobile: string; hash: string | null }>(
    `SELECT g.name, g.mobile,
            CASE WHEN NOT ${guestElsewhereSql("g", "$3")} THEN encode(g.document_number_hash, 'hex') END AS hash
       FROM guest g
      WHERE g.hotel_id = $1 AND g.erased_at IS NULL AND g.name = ANY ($2::text[]) AND ${visibleGuestSql("g", "$3")}`,
    people.map(({ guest }) => guest.name),
    scope.roomIds,
  );
  const identities = new Set(existing.map(({ name, mobile }) => identity(name, mobile)));
  const documents = new Set(existing.flatMap(({ name, hash }) => (hash ? [identity(name, hash)] : [])));
  return people.filter(({ row, guest }) => {
    const keys = documentHashes(scope, guest.documentNumber).map((hash) => identity(guest.name, hash.toString("hex")));
    if (keys.some((document) => documents.has(document))) table.acts[row.index] = "update";
    else if (identities.has(identity(guest.name, guest.mobile))) return false;
    else table.acts[row.index] = "create";
    for (const document of keys) documents.add(document);
    identities.add(identity(guest.name, guest.mobile));
    return true;
  });
}

/**
 * Saves people without a stay in one transaction, then books each party in a separate one, as at the desk. If a room
 * was taken in the meantime, only that party fails. @throws import_has_errors, before anything is written
 */
export async function runGuests(scope: Scope, input: ImportRunInput): Promise<Table> {
  const table = new Table(input);
  const planned = await planGuests(scope, scope.sql, table);
  refuseErrors(table, input);
  if (planned.people.length > 0) {
    await scope.write(async (tx) => {
      for (const { guest } of planned.people) {
        const { stayIdsOfEndedLinks } = await saveGuest(scope, tx, guest);
        await withdrawOpeningsOf(scope, tx, stayIdsOfEndedLinks);
      }
    });
  }
  for (const { rows, booking } of planned.stays) await book(scope, rows, booking);
  await scope.write(async (tx) => {
    tx.audit({
      action: "import.run",
      entity: "import",
      entityId: scope.hotelId,
      after: { kind: "guests", ...table.counts() },
    });
  });
  return table;
}

async function book(scope: Scope, rows: readonly Row[], booking: Booking): Promise<void> {
  try {
    if (booking.arriving) await stays.checkIn(scope, booking.input, { isQuiet: true });
    else await stays.reserve(scope, booking.input, { isQuiet: true });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [first] = rows;
    if (first) recordRefusal(first, error);
    refuseParty(rows);
  }
}
