// Measures reading the newest 20 records of a room among five million, as the console reads them, against a bare
// Fastify handler on the same database; also page 10,000 against the first. Rounds are interleaved, with a separate
// process for each program. Prints the table of docs/operators/performance.md.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "../apps/server/src/adapters/postgres/client.ts";
import { load, startProgram } from "./board/programs.ts";
import { type LoadHotel, machine, withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { Rounds } from "./measuring/rounds.ts";
import { busiestRoom, fillRecords } from "./unlocks/fill.ts";

const RECORDS = 5_000_000;
const ROUNDS = 7;
const SECONDS = 2;
const CONNECTIONS = 32;
const POOL = 8;
const PAGE = 20;

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

await withLoadHotel(
  async (database, hotelId) => {
    console.log(`writing ${RECORDS.toLocaleString("en")} records …`);
    await fillRecords(database, hotelId, RECORDS);
  },
  async (hotel) => {
    const shared = {
      NODE_ENV: "production",
      DATABASE_URL: hotel.url,
      DATABASE_POOL: String(POOL),
      POOL: String(POOL),
      HOTEL_ID: String(hotel.hotelId),
    };
    const server = await startProgram([path("../apps/server/dist/main.js"), "--empty"], {
      ...shared,
      PORT: "0",
      MQTT_PORT: "0",
      DATA_DIR: join(hotel.dataDir, "server"),
    });
    const bare = await startProgram(["--import", "tsx", path("./unlocks/bare-handler.ts")], shared);
    try {
      await measure(hotel, server.url, bare.url);
    } finally {
      await Promise.all([server.stop(), bare.stop()]);
    }
  },
);

async function measure({ url, hotelId }: LoadHotel, server: string, bare: string): Promise<void> {
  const database = connectDatabase(url, 1, () => undefined);
  const { roomId, deepCursor } = await busiestRoom(database, hotelId, PAGE);
  await database.close();
  const cookie = await logIn(server);
  const input = encodeURIComponent(JSON.stringify({ roomId }));
  const urls = {
    bare: `${bare}/rooms/${roomId}/unlocks`,
    bareAgain: `${bare}/prepared/${roomId}/unlocks`,
    first: `${server}/api/rooms/${roomId}/unlocks`,
    deep: `${server}/api/rooms/${roomId}/unlocks?cursor=${encodeURIComponent(deepCursor)}`,
    procedure: `${server}/api/trpc/unlocks.list?input=${input}`,
  };
  type Case = keyof typeof urls;
  const cases = Object.keys(urls) as Case[];
  const plan = (name: Case, seconds: number) => ({
    url: urls[name],
    headers: name.startsWith("bare") ? ({} as Record<string, string>) : { cookie },
    connections: CONNECTIONS,
    seconds,
    status: 200,
  });
  const answers = await Promise.all(
    cases.map(async (name) => (await fetch(urls[name], { headers: plan(name, 0).headers })).json()),
  );
  const [first, again, own, deep] = answers as { records: { at: string }[] }[];
  assert.deepEqual(own, first, "both answer with the same page");
  assert.deepEqual(again, first);
  assert.equal(first?.records.length, PAGE);
  assert.ok((deep?.records[0]?.at ?? "9") < (first?.records[PAGE - 1]?.at ?? ""), "the deep page is older");

  const perSecond = new Rounds<Case>();
  const typical = new Rounds<Case>();
  for (const name of cases) await load(plan(name, 1));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const name of cases) {
      const result = await load(plan(name, SECONDS));
      perSecond.add(name, result.perSecond);
      typical.add(name, result.p50Ms);
    }
    console.log(`round ${round} of ${ROUNDS} done`);
  }
  const row = (name: Case, title: string): string =>
    `| ${title} | ${Math.round(perSecond.median(name)).toLocaleString("en")} | ${typical.median(name).toFixed(1)} | ${perSecond.ratio(name, "bare").toFixed(2)}× |`;
  console.log(`
${machine()}, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians.

| ${CONNECTIONS} connections, newest ${PAGE} of a room in ${RECORDS.toLocaleString("en")} records | reads/s | p50 ms | ratio |
|---|---|---|---|
${row("bare", "bare Fastify handler, `pg`")}
${row("bareAgain", "the same, its query prepared")}
${row("first", "console, first page")}
${row("deep", "console, page 10,000")}
${row("procedure", "console, first page through tRPC")}

Page 10,000 takes ${(1 / perSecond.ratio("deep", "first")).toFixed(2)}× the time of the first.`);
}
