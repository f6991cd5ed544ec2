import type pg from "pg";
import { createPasswordHasher } from "../../apps/server/src/domain/identity/login/passwords.ts";
import { HOTEL } from "../../prisma/seed/hotel-plan.ts";
import { OWNER } from "../measuring/owner.ts";
import { addHotels, addRooms } from "./hotels.sql.ts";
import { AUDIT, addMoney, addPeople, PLAN } from "./stays.sql.ts";

export interface HotelsPlan {
  hotels: number;
  /** rooms of each hotel; seven of ten are occupied, one is reserved, two are free */
  rooms: number;
  /** past stays of each room, one every three days */
  pastStays: number;
}

/** GIN indexes, which are much slower to fill row by row than to build afterwards. */
const SLOW_INDEXES = `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
  WHERE schemaname = 'public' AND indexdef LIKE '% USING gin %'`;

/** Creates hotels with the data of years of work, all with the same owner. Returns their ids, in order. */
export async function fillHotels(client: pg.ClientBase, plan: HotelsPlan): Promise<number[]> {
  const passwordHash = await createPasswordHasher().hash(OWNER.password);
  // The rows reference each other correctly by construction and their sums are right, so triggers are switched off.
  await client.query("SET session_replication_role = replica");
  await client.query("SET synchronous_commit = off");
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(SLOW_INDEXES);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  const { rows: hotels } = await client.query<{ id: number }>(addHotels(HOTEL), [plan.hotels]);
  const ids = hotels.map(({ id }) => id).sort((a, b) => a - b);
  await client.query("INSERT INTO operator (mobile, name, password_hash) VALUES ($1, 'Owner of many', $2)", [
    OWNER.mobile,
    passwordHash,
  ]);
  for (const statement of addRooms(plan.rooms)) await client.query(statement);
  await client.query(PLAN, [plan.pastStays]);
  await client.query("CREATE INDEX ON plan (hotel_id)");
  await client.query("ANALYZE plan");
  for (const statement of [...addPeople, ...addMoney]) await client.query(statement);
  for (const id of ids) await client.query(AUDIT, [id]);
  await client.query("DROP TABLE plan");
  for (const { definition } of indexes) await client.query(definition);
  await client.query("RESET ALL");
  return ids;
}
