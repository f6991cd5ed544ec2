import { connectDatabase, type Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { seedLoadHotel } from "../../prisma/seed/load.ts";
import { OWNER } from "./owner.ts";
import { type World, withWorld } from "./world.ts";

export interface LoadHotel {
  url: string;
  hotelId: number;
  world: World;
}

const STAYS_A_ROOM = 0.7;

/** Runs `measure` on a database with a hotel of `rooms` rooms, seven of ten with a stay, to which `fill` may add data. */
export function withLoadHotel(
  rooms: number,
  fill: (database: Database, hotelId: number) => Promise<void>,
  measure: (hotel: LoadHotel) => Promise<void>,
): Promise<void> {
  return withWorld(async (world) => {
    const url = await world.database("hotel");
    const database = connectDatabase(url, 2, () => undefined, null);
    const hotelId = await addLoadHotel(database, rooms);
    await fill(database, hotelId);
    await database.pool.query("VACUUM ANALYZE");
    await database.close();
    await measure({ url, hotelId, world });
  });
}

/** Adds a hotel of `rooms` rooms. Returns its id. */
export function addLoadHotel(database: Database, rooms: number, owner = OWNER): Promise<number> {
  const clock = { now: () => new Date() };
  return seedLoadHotel({ database, clock, rooms, stays: Math.round(rooms * STAYS_A_ROOM), owner });
}
