// Measures reading the newest records of a room among millions, as the console reads them, against a bare Fastify
// handler on the same database; also a page far back against the first. Rounds are interleaved, with a separate process
// for each program.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "../apps/server/src/adapters/postgres/client.ts";
import { openBench } from "./measuring/bench.ts";
import { type LoadHotel, withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { load, startProgram } from "./measuring/programs.ts";
import type { Row } from "./measuring/result.ts";
import { measureRounds } from "./measuring/rounds.ts";
import { busiestRoom, fillRecords } from "./unlocks/fill.ts";

const bench = openBench("unlocks-read", {
  full: { rooms: 500, records: 5_000_000, deepPage: 10_000, connections: 32, rounds: 7, seconds: 2, warmSeconds: 1 },
  tiny: { rooms: 10, records: 2_000, deepPage: 3, connections: 2, rounds: 1, seconds: 0.2, warmSeconds: 0 },
});
const { rooms, records, deepPage, connections } = bench.sizes;
const POOL = "8";
const PAGE_SIZE = 20;

const TITLES = {
  bare: "bare Fastify handler, `pg`",
  barePrepared: "the same, its query prepared",
  first: "console, first page",
  deep: `console, page ${deepPage.toLocaleString("en")}`,
  procedure: "console, first page through tRPC",
};
type Case = keyof typeof TITLES;
const CASES = Object.keys(TITLES) as Case[];

await withLoadHotel(
  rooms,
  async (database, hotelId) => {
    console.log(`writing ${records.toLocaleString("en")} records …`);
    await fillRecords(database, hotelId, records);
  },
  async (hotel) => {
    const { url, hotelId, world } = hotel;
    const server = await world.serve(url, { env: { DATABASE_POOL: POOL } });
    const bareHandler = fileURLToPath(new URL("./unlocks/bare-handler.ts", import.meta.url));
    const bare = await startProgram(["--import", "tsx", bareHandler], {
      ...{ NODE_ENV: "production", DATABASE_URL: url, POOL, HOTEL_ID: String(hotelId) },
    });
    try {
      await bench.finish(await measure(hotel, server.url, bare.url), { pageSize: PAGE_SIZE });
    } finally {
      await Promise.all([server.stop(), bare.stop()]);
    }
  },
);

async function measure({ url, hotelId }: LoadHotel, server: string, bare: string): Promise<Row[]> {
  const database = connectDatabase(url, 1, () => undefined);
  const { roomId, deepCursor } = await busiestRoom(database, hotelId, { pageSize: PAGE_SIZE, deepPage });
  await database.close();
  const cookie = await logIn(server);
  const input = encodeURIComponent(JSON.stringify({ roomId }));
  const urls: Record<Case, string> = {
    bare: `${bare}/rooms/${roomId}/unlocks`,
    barePrepared: `${bare}/prepared/${roomId}/unlocks`,
    first: `${server}/api/rooms/${roomId}/unlocks`,
    deep: `${server}/api/rooms/${roomId}/unlocks?cursor=${encodeURIComponent(deepCursor)}`,
    procedure: `${server}/api/trpc/unlocks.list?input=${input}`,
  };
  const plan = (name: Case) => ({
    url: urls[name],
    headers: name.startsWith("bare") ? ({} as Record<string, string>) : { cookie },
    ...{ connections, status: 200 },
  });
  const answers = await Promise.all(
    CASES.map(async (name) => (await fetch(urls[name], { headers: plan(name).headers })).json()),
  );
  const [first, again, own, deep] = answers as { records: { at: string }[] }[];
  assert.deepEqual(own, first, "both answer with the same page");
  assert.deepEqual(again, first);
  assert.equal(first?.records.length, PAGE_SIZE);
  assert.ok((deep?.records[0]?.at ?? "9") < (first?.records[PAGE_SIZE - 1]?.at ?? ""), "the deep page is older");

  const rounds = await measureRounds(CASES, bench.sizes, (name, seconds) => load({ ...plan(name), seconds }));
  return CASES.map((name) => ({
    ...{ table: "reads", read: TITLES[name] },
    readsPerSecond: rounds.median(name, "perSecond"),
    p50Ms: rounds.median(name, "p50Ms"),
    p99Ms: rounds.median(name, "p99Ms"),
    ratio: rounds.ratio(name, "bare"),
  }));
}
