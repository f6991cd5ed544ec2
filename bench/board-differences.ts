// Measures what one changed room costs: the time and bytes until a desk has it, in hotels of 10 to 5,000 rooms, and the
// CPU time of the server while 200 desks follow a house of 500 rooms in which 20 rooms a second change. The changes come
// from another process, straight into the database, so that their own cost isn't counted. Flag --small: a short run.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Database } from "../apps/server/src/adapters/postgres/client.ts";
import { startEmbeddedPostgres } from "../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { migrate } from "../apps/server/src/adapters/postgres/migrate.ts";
import { seedLoadHotel } from "../prisma/seed/load.ts";
import { FollowingDesk } from "./board/following-desk.ts";
import { type Program, startProgram } from "./board/programs.ts";
import { percentile } from "./growth/measured.ts";
import { machine } from "./measuring/load-database.ts";
import { logIn, OWNER } from "./measuring/owner.ts";

const small = process.argv.includes("--small");
const SIZES = small ? [10, 50] : [10, 50, 200, 500, 1000, 5000];
const CHANGES = small ? 5 : 60;
const HOUSE = small ? 50 : 500;
const DESKS = small ? 10 : 200;
const CHANGES_PER_SECOND = 20;
const SECONDS = small ? 2 : 20;
const OPERATORS = 5;
const SESSIONS = 4;

interface Hotel {
  hotelId: number;
  rooms: number;
  mobile: string;
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const dataDir = await mkdtemp(join(tmpdir(), "innkey-bench-"));
const postgres = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn: console.warn } });
const database = connectDatabase(postgres.url, 4, console.error);
try {
  await migrate(postgres.url, path("../prisma/migrations"));
  const hotels: Hotel[] = [];
  for (const [index, rooms] of [...SIZES, HOUSE].entries()) {
    const mobile = String(13_900_000_000 + index);
    const owner = { ...OWNER, mobile };
    const clock = { now: () => new Date() };
    const hotelId = await seedLoadHotel({ database, clock, rooms, stays: Math.round(rooms * 0.7), owner });
    hotels.push({ hotelId, rooms, mobile });
  }
  await database.pool.query("VACUUM ANALYZE");
  const server = await startProgram([path("../apps/server/dist/main.js"), "--empty"], {
    ...{ DATABASE_URL: postgres.url, DATABASE_POOL: "8", NODE_ENV: "production" },
    ...{ PORT: "0", MQTT_PORT: "0", DATA_DIR: join(dataDir, "server") },
  });
  try {
    console.log(
      `${machine()}\n\n| rooms | ms until a desk has what changed | bytes | whole board, bytes |\n|---|---|---|---|`,
    );
    const costs: { rooms: number; ms: number }[] = [];
    for (const hotel of hotels.slice(0, -1)) costs.push({ rooms: hotel.rooms, ms: await measureChange(server, hotel) });
    const [first, last] = [costs[0], costs.at(-1)];
    if (first && last) {
      const exponent = Math.log(last.ms / first.ms) / Math.log(last.rooms / first.rooms);
      console.log(`\nFrom ${first.rooms} to ${last.rooms} rooms the time grows with n^${exponent.toFixed(2)}.`);
    }
    const house = hotels.at(-1);
    if (house) await measureDesks(server, house);
  } finally {
    await server.stop();
  }
} finally {
  await database.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function roomsOf({ hotelId }: Hotel): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: number }>("SELECT id FROM room WHERE hotel_id = $1 ORDER BY id", [
    hotelId,
  ]);
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

/** Measures one desk that asks what changed. Returns the median in milliseconds. */
async function measureChange(server: Program, hotel: Hotel): Promise<number> {
  const cookie = await logIn(server.url, hotel.mobile);
  const read = (url: string) => fetch(`${server.url}${url}`, { headers: { cookie } });
  const whole = await read("/api/board");
  const wholeBytes = (await whole.arrayBuffer()).byteLength;
  let etag = whole.headers.get("etag") ?? "";
  const times: number[] = [];
  let bytes = 0;
  const rooms = await roomsOf(hotel);
  for (let change = 0; change < CHANGES; change += 1) {
    await changeRoom(database, hotel.hotelId, rooms[change % rooms.length] ?? 0);
    const startedAt = performance.now();
    const answer = await read(`/api/board?since=${encodeURIComponent(etag)}`);
    const text = await answer.text();
    times.push(performance.now() - startedAt);
    bytes = Buffer.byteLength(text);
    assert.equal(JSON.parse(text).rooms.length, 1, "one room is sent");
    etag = answer.headers.get("etag") ?? "";
  }
  const ms = percentile(times, 0.5);
  console.log(`| ${hotel.rooms} | ${ms.toFixed(2)} | ${bytes} | ${wholeBytes} |`);
  return ms;
}

async function measureDesks(server: Program, house: Hotel): Promise<void> {
  const cookies = await openSessions(server, house);
  const desks = Array.from(
    { length: DESKS },
    (_, index) => new FollowingDesk(server.url, cookies[index % cookies.length] ?? ""),
  );
  await Promise.all(desks.map((desk) => desk.open()));
  const rooms = await roomsOf(house);
  await delay(2_000);
  const [cpuBefore, startedAt] = [await server.cpuMs(), performance.now()];
  const total = CHANGES_PER_SECOND * SECONDS;
  for (let change = 0; change < total; change += 1) {
    await delay(Math.max(0, startedAt + (change * 1000) / CHANGES_PER_SECOND - performance.now()));
    await changeRoom(database, house.hotelId, rooms[(change * 37) % rooms.length] ?? 0);
  }
  await delay(500);
  const elapsedMs = performance.now() - startedAt;
  const share = ((await server.cpuMs()) - cpuBefore) / elapsedMs;
  const perDesk = desks.map((desk) => desk.bytes / (elapsedMs / 1000));
  const whole = await desks[0]?.readWhole();
  for (const desk of desks) {
    assert.deepEqual(desk.rooms(), whole, "a desk's board is the whole board");
    assert.equal(desk.wholeReads, 1, "no desk had to read the whole board again");
    desk.close();
  }
  console.log(
    `\n${DESKS} desks, ${house.rooms} rooms, ${CHANGES_PER_SECOND} changes a second for ${SECONDS} s: the server uses ${(share * 100).toFixed(1)} % of one core; ` +
      `${(percentile(perDesk, 0.5) / 1000).toFixed(1)} kB a second per desk, ${(desks.reduce((sum, { events }) => sum + events, 0) / DESKS).toFixed(0)} events each.`,
  );
}

/** Sessions of several operators, because the number of streams of one session and of one operator is limited. */
async function openSessions(server: Program, { hotelId, mobile }: Hotel): Promise<string[]> {
  const cookies: string[] = [];
  for (let operator = 0; operator < OPERATORS; operator += 1) {
    const account = String(13_800_100_000 + operator);
    await database.pool.query(
      `WITH colleague AS (
         INSERT INTO operator (mobile, name, password_hash) SELECT $2, 'Desk', password_hash FROM operator WHERE mobile = $3
           RETURNING id)
       INSERT INTO membership (hotel_id, operator_id, role, capabilities) SELECT $1, id, 'administrator', '{}' FROM colleague`,
      [hotelId, account, mobile],
    );
    for (let session = 0; session < SESSIONS; session += 1) cookies.push(await logIn(server.url, account));
  }
  return cookies;
}
