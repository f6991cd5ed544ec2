// Measures the room board as the console reads it, against a bare Fastify handler on the same database. Rounds are
// interleaved on one machine, with a separate process for each program.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openBench } from "./measuring/bench.ts";
import type { LoadPlan } from "./measuring/load.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import { load, type Program, startProgram } from "./measuring/programs.ts";
import type { Row } from "./measuring/result.ts";
import { type LoadRounds, measureRounds } from "./measuring/rounds.ts";

const bench = openBench("board", {
  full: { rooms: 500, connections: 32, rounds: 5, seconds: 3, warmSeconds: 1 },
  tiny: { rooms: 10, connections: 2, rounds: 1, seconds: 0.2, warmSeconds: 0 },
});
const { rooms, connections } = bench.sizes;
const POOL = "8";

const TOGETHER = {
  bare: "bare Fastify handler, `pg` objects",
  first: "first read",
  firstGzip: "first read, gzip as browsers ask",
  current: "read by a client that has the current version (304)",
  changed: "read after a change: the version moves before every read",
};
const ALONE = { aloneBare: "bare Fastify handler", aloneBuild: "board, every read is a build" };
type Case = keyof typeof TOGETHER | keyof typeof ALONE;
const CASES = [...Object.keys(TOGETHER), ...Object.keys(ALONE)] as Case[];

await withLoadHotel(
  rooms,
  async () => undefined,
  async ({ url, hotelId, world }) => {
    const server = await world.serve(url, { env: { DATABASE_POOL: POOL } });
    const bareHandler = fileURLToPath(new URL("./board/bare-handler.ts", import.meta.url));
    const bare = await startProgram(["--import", "tsx", bareHandler], {
      ...{ NODE_ENV: "production", DATABASE_URL: url, POOL, HOTEL_ID: String(hotelId) },
    });
    try {
      await bench.finish(await measure(server, bare, { databaseUrl: url, hotelId }));
    } finally {
      await Promise.all([server.stop(), bare.stop()]);
    }
  },
);

async function measure(server: Program, bare: Program, change: NonNullable<LoadPlan["change"]>): Promise<Row[]> {
  const cookie = await logIn(server.url);
  const boardUrl = `${server.url}/api/board`;
  const first = await fetch(boardUrl, { headers: { cookie } });
  const board = (await first.json()) as { changesAt: string; rooms: unknown[] };
  const bareUrl = `${bare.url}/board?today=${board.changesAt}`;
  const same = (await (await fetch(bareUrl)).json()) as { rooms: unknown[] };
  assert.equal(board.rooms.length, rooms);
  assert.deepEqual(same.rooms, board.rooms, "both answer with the same rooms");

  const plain = { connections, status: 200 };
  const plans = {
    bare: { ...plain, url: bareUrl, headers: {} },
    first: { ...plain, url: boardUrl, headers: { cookie } },
    firstGzip: { ...plain, url: boardUrl, headers: { cookie, "accept-encoding": "gzip" } },
    current: { ...plain, url: boardUrl, headers: { cookie }, status: 304 },
    changed: { ...plain, url: boardUrl, headers: { cookie }, change },
    aloneBare: { ...plain, url: bareUrl, headers: {}, connections: 1, change },
    aloneBuild: { ...plain, url: boardUrl, headers: { cookie }, connections: 1, change },
  } satisfies Record<Case, Omit<LoadPlan, "seconds">>;

  // The board's version changes in some cases, so we fetch the client's current version anew before each run.
  const planOf = async (name: Case): Promise<Omit<LoadPlan, "seconds">> => {
    if (name !== "current") return plans[name];
    const fresh = await fetch(boardUrl, { headers: { cookie } });
    await fresh.arrayBuffer();
    return { ...plans.current, headers: { cookie, "if-none-match": fresh.headers.get("etag") ?? "" } };
  };
  const memory: Partial<Record<Case, number>> = {};
  const before = await server.memory();
  const rounds = await measureRounds(CASES, bench.sizes, async (name, seconds) => {
    const result = await load({ ...(await planOf(name)), seconds });
    memory[name] = await server.memory();
    return result;
  });
  const memoryRow = (when: string, serverMb = Number.NaN): Row => ({ table: "memory", when, serverMb });
  return [
    ...tableOf("together", TOGETHER, rounds),
    ...tableOf("alone", ALONE, rounds),
    memoryRow("before", before),
    memoryRow("after first reads", memory.first),
    memoryRow("after reads of the current version", memory.current),
    memoryRow("at the end", memory.aloneBuild),
  ];
}

/** Makes the rows of a table, whose first case the others are compared with. */
function tableOf(table: string, titles: Partial<Record<Case, string>>, rounds: LoadRounds<Case>): Row[] {
  const names = Object.keys(titles) as Case[];
  const [against = "bare"] = names;
  return names.map((name) => ({
    ...{ table, read: titles[name] ?? name },
    readsPerSecond: rounds.median(name, "perSecond"),
    p50Ms: rounds.median(name, "p50Ms"),
    p99Ms: rounds.median(name, "p99Ms"),
    ratio: rounds.ratio(name, against),
    bytes: rounds.median(name, "bytes"),
    reads: rounds.sum(name, "reads"),
    // The bare handler answers without versions.
    builds: name.toLowerCase().includes("bare") || name === "current" ? null : rounds.sum(name, "boards"),
  }));
}
