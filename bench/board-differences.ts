// Measures what one changed room costs: the time and bytes until a desk has it, in hotels of several sizes, and the CPU
// time of the server while many desks follow a house in which rooms change all the time. The changes come from another
// process, straight into the database, so that their own cost isn't counted.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { connectDatabase, type Database } from "../apps/server/src/adapters/postgres/client.ts";
import { FollowingDesk } from "./board/following-desk.ts";
import { openBench } from "./measuring/bench.ts";
import { addColleagues } from "./measuring/colleagues.ts";
import { median } from "./measuring/durations.ts";
import { addLoadHotel } from "./measuring/load-database.ts";
import { logIn, OWNER } from "./measuring/owner.ts";
import type { Program } from "./measuring/programs.ts";
import type { Row } from "./measuring/result.ts";
import { withWorld } from "./measuring/world.ts";

const bench = openBench("board-differences", {
  full: {
    ...{ rooms: [10, 50, 200, 500, 1_000, 5_000], changes: 60 },
    ...{ house: 500, desks: 200, changesPerSecond: 20, seconds: 20, settleSeconds: 2 },
  },
  tiny: {
    ...{ rooms: [5, 10], changes: 3 },
    ...{ house: 10, desks: 4, changesPerSecond: 20, seconds: 0.5, settleSeconds: 0 },
  },
});
const { sizes } = bench;
const OPERATORS = 5;
const SESSIONS = 4;
/** After the last change, its events may still be on their way. */
const DRAIN_MS = 500;
const GIVE_UP_MS = 30_000;

interface Hotel {
  hotelId: number;
  rooms: number;
  mobile: string;
}

await withWorld(async (world) => {
  const url = await world.database("hotels");
  const database = connectDatabase(url, 4, console.error);
  try {
    const hotels: Hotel[] = [];
    for (const [index, rooms] of [...sizes.rooms, sizes.house].entries()) {
      const mobile = String(13_900_000_000 + index);
      hotels.push({ hotelId: await addLoadHotel(database, rooms, { ...OWNER, mobile }), rooms, mobile });
    }
    await database.pool.query("VACUUM ANALYZE");
    const server = await world.serve(url);
    try {
      const rows: Row[] = [];
      for (const hotel of hotels.slice(0, -1)) rows.push(await measureChange(database, server, hotel));
      const house = hotels.at(-1);
      assert.ok(house);
      await bench.finish([...rows, await measureDesks(database, server, house)]);
    } finally {
      await server.stop();
    }
  } finally {
    await database.close();
  }
});

async function roomsOf({ pool }: Database, { hotelId }: Hotel): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>("SELECT id FROM room WHERE hotel_id = $1 ORDER BY id", [hotelId]);
  return rows.map(({ id }) => id);
}

/** Changes one room as a check-out does: its condition and the board's version. */
async function changeRoom({ pool }: Database, hotelId: number, roomId: number): Promise<void> {
  await pool.query(
    `WITH changed AS (UPDATE room SET condition = CASE condition WHEN 'dirty' THEN 'clean'::room_condition ELSE 'dirty' END
       WHERE id = $2 RETURNING id)
     SELECT raise_board($1, ARRAY(SELECT id FROM changed))`,
    [hotelId, roomId],
  );
}

/** Measures one desk that asks what changed. */
async function measureChange(database: Database, server: Program, hotel: Hotel): Promise<Row> {
  const cookie = await logIn(server.url, hotel.mobile);
  const read = (url: string) => fetch(`${server.url}${url}`, { headers: { cookie } });
  const whole = await read("/api/board");
  const wholeBytes = (await whole.arrayBuffer()).byteLength;
  let etag = whole.headers.get("etag") ?? "";
  const times: number[] = [];
  let bytes = 0;
  const rooms = await roomsOf(database, hotel);
  for (let change = 0; change < sizes.changes; change += 1) {
    await changeRoom(database, hotel.hotelId, rooms[change % rooms.length] ?? 0);
    const startedAt = performance.now();
    const answer = await read(`/api/board?since=${encodeURIComponent(etag)}`);
    const text = await answer.text();
    times.push(performance.now() - startedAt);
    bytes = Buffer.byteLength(text);
    assert.equal(JSON.parse(text).rooms.length, 1, "one room is sent");
    etag = answer.headers.get("etag") ?? "";
  }
  return { table: "changes", rooms: hotel.rooms, p50Ms: median(times), bytes, wholeBytes };
}

async function measureDesks(database: Database, server: Program, house: Hotel): Promise<Row> {
  const cookies = await openSessions(database, server, house);
  const desks = Array.from(
    { length: sizes.desks },
    (_, index) => new FollowingDesk(server.url, cookies[index % cookies.length] ?? ""),
  );
  await Promise.all(desks.map((desk) => desk.open()));
  const rooms = await roomsOf(database, house);
  await delay(sizes.settleSeconds * 1000);
  const [cpuBefore, startedAt] = [await server.cpuMs(), performance.now()];
  const total = sizes.changesPerSecond * sizes.seconds;
  for (let change = 0; change < total; change += 1) {
    await delay(Math.max(0, startedAt + (change * 1000) / sizes.changesPerSecond - performance.now()));
    await changeRoom(database, house.hotelId, rooms[(change * 37) % rooms.length] ?? 0);
  }
  await delay(DRAIN_MS);
  const elapsedMs = performance.now() - startedAt;
  const share = ((await server.cpuMs()) - cpuBefore) / elapsedMs;
  const perDesk = desks.map((desk) => desk.bytes / (elapsedMs / 1000));
  const whole = await desks[0]?.readWhole();
  const isBehind = (desk: FollowingDesk): boolean => !isDeepStrictEqual(desk.rooms(), whole);
  for (const end = Date.now() + GIVE_UP_MS; desks.some(isBehind) && Date.now() < end; ) await delay(100);
  for (const desk of desks) {
    assert.deepEqual(desk.rooms(), whole, "a desk's board is the whole board");
    assert.equal(desk.wholeReads, 1, "no desk had to read the whole board again");
    desk.close();
  }
  return {
    ...{ table: "desks", desks: desks.length, rooms: house.rooms, changesPerSecond: sizes.changesPerSecond },
    ...{ cpuPercent: share * 100, kilobytesPerSecondPerDesk: median(perDesk) / 1000 },
    eventsPerDesk: desks.reduce((sum, { events }) => sum + events, 0) / desks.length,
  };
}

/** Opens sessions of several operators, because the number of streams of one session and of one operator is limited. */
async function openSessions(database: Database, server: Program, { hotelId, mobile }: Hotel): Promise<string[]> {
  const cookies: string[] = [];
  for (const account of await addColleagues(database, hotelId, OPERATORS, mobile))
    for (let session = 0; session < SESSIONS; session += 1) cookies.push(await logIn(server.url, account));
  return cookies;
}
