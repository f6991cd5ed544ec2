import type pg from "pg";
import type { Program } from "../measuring/programs.ts";
import { Desk } from "./desk.ts";

/** Throughput of one server with many hotels at once. */
export interface ManyHotels {
  hotels: number;
  desks: number;
  /** check-ins and check-outs, with each desk in a different hotel */
  writesPerSecond: number;
  /** boards built, each of a different hotel */
  boardsPerSecond: number;
  /** resident memory of the server, before and after it has served every hotel */
  memoryMb: { before: number; after: number };
  databaseMb: number;
}

const DESKS = 8;

export async function measureMany(
  pool: Pick<pg.Pool, "query">,
  server: Program,
  hotelIds: readonly number[],
  seconds: number,
): Promise<ManyHotels> {
  const before = await server.memory();
  const some = hotelIds.slice(0, DESKS);
  const desks = await Promise.all(some.map((hotelId) => Desk.open(server.url, hotelId)));
  const { rows } = await pool.query<{ id: number }>(
    "SELECT min(id) AS id FROM room WHERE hotel_id = ANY ($1) AND sort % 10 = 8 GROUP BY hotel_id ORDER BY hotel_id",
    [some],
  );
  const writesPerSecond = await rate(desks, seconds, async (desk, index) => {
    const period = { startsAt: new Date().toISOString(), endsAt: new Date(Date.now() + 86_400_000).toISOString() };
    const { stayId } = await desk.mutate<{ stayId: number }>("stays.checkIn", {
      ...{ roomId: rows[index]?.id, unit: "day", channel: "card", depositMinor: 0, confirmDirty: true },
      ...{ ...period, guests: [{ name: "Many Hotels" }], confirmAlreadyIn: true },
    });
    await desk.mutate("stays.checkOut", { stayId, confirmUnpaid: true });
    return 2;
  });
  const boardsPerSecond = await rate(desks, seconds, async (desk, index) => {
    await pool.query("SELECT raise_board($1, NULL)", [some[index]]);
    await desk.get("/api/board");
    return 1;
  });
  const [first] = desks;
  for (const hotelId of hotelIds) {
    await first?.mutate("auth.switchHotel", { hotelId });
    await first?.get("/api/board");
  }
  const size = await pool.query<{ mb: number }>("SELECT pg_database_size(current_database()) / 1048576 AS mb");
  return {
    ...{ hotels: hotelIds.length, desks: desks.length, writesPerSecond, boardsPerSecond },
    memoryMb: { before, after: await server.memory() },
    databaseMb: Number(size.rows[0]?.mb),
  };
}

async function rate(
  desks: readonly Desk[],
  seconds: number,
  act: (desk: Desk, index: number) => Promise<number>,
): Promise<number> {
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const done = await Promise.all(
    desks.map(async (desk, index) => {
      let count = 0;
      while (performance.now() < end) count += await act(desk, index);
      return count;
    }),
  );
  return (done.reduce((sum, count) => sum + count, 0) * 1000) / (performance.now() - startedAt);
}
