import { DomainError } from "@innkey/shared/errors";
import type { ImportRunInput } from "@innkey/shared/schemas/data/imports";
import type { GuestInput } from "@innkey/shared/schemas/stays/stays";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { ROOM_PRICES_JSON } from "../../property/public.ts";
import { documentHashes, isElsewhere, isVisible, saveGuest } from "../../stays/public.ts";
import { readGuest, readStay } from "./guest-rows.ts";
import { type Booking, bookingOf, noteRefusal, type Party, readRooms } from "./parties.ts";
import { type Row, refuseErrors, Table } from "./table.ts";

interface PlannedGuests {
  /** People without a stay. */
  people: { row: Row; guest: GuestInput }[];
  stays: { rows: Row[]; booking: Booking }[];
}

/** Plans what each row of a guest table would do. Rows with the same room and arrival form one party. */
export async function planGuests(scope: Scope, sql: HotelSql, table: Table): Promise<PlannedGuests> {
  const people: PlannedGuests["people"] = [];
  const parties = new Map<string, Party>();
  const broken = new Set<Party>();
  for (const row of table.rows) {
    const guest = readGuest(row, table);
    const stay = readStay(row, table, scope.hotel);
    if (!stay) {
      if (guest && !row.wrong()) people.push({ row, guest });
      continue;
    }
    const key = JSON.stringify([stay.room, stay.startsAt]);
    const party = parties.get(key) ?? { rows: [], guests: [], stay: { ...stay } };
    parties.set(key, party);
    party.rows.push(row);
    table.parties[row.index] = party.rows[0]?.index ?? row.index;
    if (guest) party.guests.push(guest);
    else broken.add(party);
    party.stay.endsAt ??= stay.endsAt;
    party.stay.priceMinor ??= stay.priceMinor;
    if (stay.endsAt !== null && stay.endsAt !== party.stay.endsAt) {
      row.problem("departure", { key: "imports.problem.partyDiffers" });
    }
    if (stay.priceMinor !== null && stay.priceMinor !== party.stay.priceMinor) {
      row.problem("price", { key: "imports.problem.partyDiffers" });
    }
  }
  const rooms = await readRooms(scope, sql, ROOM_PRICES_JSON);
  const booked = [...parties.values()].flatMap((party) => {
    const whole = !broken.has(party) && !party.rows.some((row) => row.wrong());
    const booking = whole ? bookingOf(scope, party, rooms) : null;
    if (booking) for (const { index } of party.rows) table.acts[index] = booking.arriving ? "checkIn" : "reserve";
    else spoil(party.rows);
    return booking ? [{ rows: party.rows, booking }] : [];
  });
  return { people: await newPeople(scope, sql, table, people), stays: booked };
}

/** Records on the other rows that a party with one wrong row is not booked. */
function spoil(rows: readonly Row[]): void {
  for (const row of rows) if (!row.wrong()) row.problem(null, { key: "imports.problem.partyWrong" });
}

const identity = (name: string, mobile: string): string => JSON.stringify([name, mobile]);

/**
 * Selects the people without a stay to save. For a person whom the caller may see, the same name and document update
 * the record (where `saveGuest` does so), and the same name and phone are skipped. Everyone else is created, so that
 * the answer doesn't reveal other guests.
 */
async function newPeople(scope: Scope, sql: HotelSql, table: Table, people: PlannedGuests["people"]) {
  const existing = await sql.rows<{ name: string; mobile: string; hash: string | null }>(
    `SELECT g.name, g.mobile,
            CASE WHEN NOT ${isElsewhere("g", "$3")} THEN encode(g.document_number_hash, 'hex') END AS hash
       FROM guest g
      WHERE g.hotel_id = $1 AND g.erased_at IS NULL AND g.name = ANY ($2::text[]) AND ${isVisible("g", "$3")}`,
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
      for (const { guest } of planned.people) await saveGuest(scope, tx, guest);
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
    if (booking.arriving) await stays.checkIn(scope, booking.input);
    else await stays.reserve(scope, booking.input);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [first] = rows;
    if (first) noteRefusal(first, error);
    spoil(rows);
  }
}
