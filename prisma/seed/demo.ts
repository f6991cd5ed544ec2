import type pg from "pg";
import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { createPasswordHasher } from "../../apps/server/src/domain/identity/login/passwords.ts";
import type { Clock } from "../../apps/server/src/kernel/clock.ts";
import type { SecretBox } from "../../apps/server/src/kernel/secret-box.ts";
import { localDate } from "../../packages/shared/src/hotel-time.ts";
import { BulkInsert } from "./bulk-insert.ts";
import { HOTEL, planRooms } from "./hotel-plan.ts";
import { writeHotel } from "./house-rows.ts";
import { Random } from "./random.ts";
import { planRoomChanges } from "./room-changes.ts";
import { planStays } from "./stay-plan.ts";
import { StayRows } from "./stay-rows.ts";

const SEED = 1911;

export interface SeedOptions {
  database: Pick<Database, "pool">;
  secrets: { document: SecretBox };
  clock: Clock;
  /** password of every demo login */
  password: string;
  log: (line: string) => void;
}

/**
 * Writes the demo hotel in one transaction. The same clock gives the same hotel; "today" is the clock's date, so the
 * demo always looks current. Logins: 13800000001 owner, …2 administrator, …3 staff. Returns the hotel's id.
 */
export async function seedDemo({ database, secrets, clock, password, log }: SeedOptions): Promise<number> {
  const passwordHash = await createPasswordHasher().hash(password);
  const now = clock.now().toISOString();
  const random = new Random(SEED);
  const rooms = planRooms(random, localDate(now, HOTEL.timeZone));
  const hotel = planStays(random, rooms, now);
  planRoomChanges(random, hotel, rooms);
  return inTransaction(database.pool, async (client) => {
    const bulk = new BulkInsert(client);
    log("Demo hotel: rooms and staff");
    const ids = await writeHotel(bulk, { random, rooms, dirty: hotel.dirty, now, passwordHash });
    const rows = new StayRows(bulk, ids, random, rooms, hotel, secrets.document, now);
    log("Demo hotel: a year of stays");
    const stays = await rows.writeStays();
    log("Demo hotel: door records");
    const unlockRecords = await rows.writeUnlocks();
    await writeFirstAuditEntry(client, ids.hotelId, clock.now(), { rooms: rooms.length, stays, unlockRecords });
    return ids.hotelId;
  });
}

export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

/** Writes the first row of the audit log, chained like every other. */
export async function writeFirstAuditEntry(
  client: pg.ClientBase,
  hotelId: number,
  at: Date,
  after: Record<string, number>,
): Promise<void> {
  const actor = { kind: "system", id: null, name: "Innkey", door: "system", address: "", requestId: "demo" };
  const entry = { action: "demo.seed", entity: "hotel", entityId: String(hotelId), after };
  await client.query("SELECT commit_write($1, $2, $3, $4, true, NULL)", [
    hotelId,
    at,
    JSON.stringify(actor),
    JSON.stringify([entry]),
  ]);
}
