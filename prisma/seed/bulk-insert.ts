import type pg from "pg";
import type { Prisma } from "../../apps/server/src/adapters/postgres/generated/client.ts";

/** The tables a seed writes, each with the row Prisma would take: a change of the schema shows here at compile time. */
interface Tables {
  hotel: Prisma.HotelCreateManyInput;
  hotel_state: Prisma.HotelStateCreateManyInput;
  operator: Prisma.OperatorCreateManyInput;
  membership: Prisma.MembershipCreateManyInput;
  room_grant: Prisma.RoomGrantCreateManyInput;
  room_group: Prisma.RoomGroupCreateManyInput;
  room: Prisma.RoomCreateManyInput;
  lock: Prisma.LockCreateManyInput;
  room_price: Prisma.RoomPriceCreateManyInput;
  room_price_date: Prisma.RoomPriceDateCreateManyInput;
  customer: Prisma.CustomerCreateManyInput;
  encoder: Prisma.EncoderCreateManyInput;
  guest: Prisma.GuestCreateManyInput;
  stay: Prisma.StayCreateManyInput;
  stay_guest: Prisma.StayGuestCreateManyInput;
  occupancy: Prisma.OccupancyCreateManyInput;
  orders: Prisma.OrderCreateManyInput;
  order_line: Prisma.OrderLineCreateManyInput;
  ledger_entry: Prisma.LedgerEntryCreateManyInput;
  unlock_record: Prisma.UnlockRecordCreateManyInput;
}
export type Table = keyof Tables;
export type Row<T extends Table> = Tables[T];

const CHUNK = 2_000;

/** Thousands of rows at once, inside the caller's transaction; the database's own types read the JSON. */
export class BulkInsert {
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /** Ids for rows yet to be written, so that rows can point at each other first. */
  async ids(table: Table, count: number): Promise<number[]> {
    const { rows } = await this.#client.query<{ id: number }>(
      "SELECT nextval(pg_get_serial_sequence($1, 'id'))::int AS id FROM generate_series(1, $2::int)",
      [table, count],
    );
    return rows.map(({ id }) => id);
  }

  /** Rows of one table, all with the same columns. */
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

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function jsonRow(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), jsonValue(value)]));
}

function jsonValue(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
}
