import type pg from "pg";
import type { Prisma } from "../../apps/server/src/adapters/postgres/generated/client.ts";

/** The tables that a seed writes, each with Prisma's row type, so that schema changes show as compile errors here. */
interface Tables {
  hotel: Prisma.HotelCreateManyInput;
  hotel_state: Prisma.HotelStateCreateManyInput;
  operator: Prisma.OperatorCreateManyInput;
  membership: Prisma.MembershipCreateManyInput;
  room_grant: Prisma.RoomGrantCreateManyInput;
  room_group: Prisma.RoomGroupCreateManyInput;
  room: Prisma.RoomCreateManyInput;
  lock: Prisma.LockCreateManyInput;
  lock_power_day: Prisma.LockPowerDayCreateManyInput;
  room_price: Prisma.RoomPriceCreateManyInput;
  room_price_date: Prisma.RoomPriceDateCreateManyInput;
  hand_over_note: Prisma.HandOverNoteCreateManyInput;
  customer: Prisma.CustomerCreateManyInput;
  card_reader: Prisma.CardReaderCreateManyInput;
  card_reader_holder: Prisma.CardReaderHolderCreateManyInput;
  guest: Prisma.GuestCreateManyInput;
  stay: Prisma.StayCreateManyInput;
  stay_guest: Prisma.StayGuestCreateManyInput;
  occupancy: Prisma.OccupancyCreateManyInput;
  folio_entry: Prisma.FolioEntryCreateManyInput;
  folio_entry_line: Prisma.FolioEntryLineCreateManyInput;
  ledger_entry: Prisma.LedgerEntryCreateManyInput;
  unlock_record: Prisma.UnlockRecordCreateManyInput;
}
export type Table = keyof Tables;
export type Row<T extends Table> = Tables[T];

const CHUNK = 2_000;

/**
 * Inserts thousands of rows at once, inside the caller's transaction. Rows travel as JSON, parsed by the database into
 * its types.
 */
export class BulkInsert {
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /** Reserves ids for rows before they are written, so that they can refer to each other. */
  async ids(table: Table, count: number): Promise<number[]> {
    const { rows } = await this.#client.query<{ id: number }>(
      "SELECT nextval(pg_get_serial_sequence($1, 'id'))::int AS id FROM generate_series(1, $2::int)",
      [table, count],
    );
    return rows.map(({ id }) => id);
  }

  /** Inserts rows of one table; all must have the same columns. */
  async insert<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void> {
    const first = rows[0];
    if (!first) return;
    const columns = Object.keys(first)
      .map((name) => `"${columnOf(name)}"`)
      .join(", ");
    const text = `INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`;
    for (let start = 0; start < rows.length; start += CHUNK) {
      await this.#client.query(text, [JSON.stringify(rows.slice(start, start + CHUNK).map(jsonRow))]);
    }
  }
}

/** Columns that are not called what Prisma calls their field */
const COLUMNS: Record<string, string> = { entryId: "folio_entry_id" };

const columnOf = (name: string): string =>
  COLUMNS[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function jsonRow(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), jsonValue(value)]));
}

function jsonValue(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
}
