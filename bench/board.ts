// Measures the room board of 500 rooms and 350 stays, as the console reads it, against a bare Fastify handler on the
// same database. Rounds are interleaved on one machine, with a separate process for each program. Prints the table of
// docs/operators/performance.md.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "../apps/server/src/adapters/postgres/client.ts";
import { startEmbeddedPostgres } from "../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { migrate } from "../apps/server/src/adapters/postgres/migrate.ts";
import { seedLoadHotel } from "../prisma/seed/load.ts";
import type { LoadPlan, LoadResult } from "./board/load.ts";
import { load, startProgram } from "./board/programs.ts";
import { logIn, OWNER } from "./measuring/owner.ts";

const ROUNDS = 5;
const SECONDS = 3;
const WARM_SECONDS = 1;
const CONNECTIONS = 32;
const POOL = 8;

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const dataDir = await mkdtemp(join(tmpdir(), "innkey-bench-"));
const postgres = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn: console.warn } });
try {
  await migrate(postgres.url, path("../prisma/migrations"));
  const database = connectDatabase(postgres.url, 2, console.error);
  const hotelId = await seedLoadHotel({
    database,
    clock: { now: () => new Date() },
    rooms: 500,
    stays: 350,
    owner: OWNER,
  });
  await database.pool.query("VACUUM ANALYZE");
  await database.close();

  const env = {
    DATABASE_URL: postgres.url,
    DATABASE_POOL: String(POOL),
    POOL: String(POOL),
    HOTEL_ID: String(hotelId),
  };
  const server = await startProgram([path("../apps/server/dist/main.js"), "--empty"], {
    ...env,
    PORT: "0",
    MQTT_PORT: "0",
    DATA_DIR: join(dataDir, "server"),
    NODE_ENV: "production",
  });
  const bare = await startProgram(["--import", "tsx", path("./board/bare-handler.ts")], {
    ...env,
    NODE_ENV: "production",
  });
  try {
    await measure(server, bare, { databaseUrl: postgres.url, hotelId });
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

type Server = Awaited<ReturnType<typeof startProgram>>;

async function measure(server: Server, bare: Server, change: NonNullable<LoadPlan["change"]>): Promise<void> {
  const cookie = await logIn(server.url);
  const boardUrl = `${server.url}/api/board`;
  const first = await fetch(boardUrl, { headers: { cookie } });
  const etag = first.headers.get("etag") ?? "";
  const board = (await first.json()) as { changesAt: string; rooms: unknown[] };
  const bareUrl = `${bare.url}/board?today=${board.changesAt}`;
  const same = (await (await fetch(bareUrl)).json()) as { rooms: unknown[] };
  assert.equal(board.rooms.length, 500);
  assert.deepEqual(same.rooms, board.rooms, "both answer with the same rooms");

  const plain = { connections: CONNECTIONS, seconds: SECONDS, status: 200 };
  const cases = {
    bare: { ...plain, url: bareUrl, headers: {} },
    first: { ...plain, url: boardUrl, headers: { cookie } },
    firstGzip: { ...plain, url: boardUrl, headers: { cookie, "accept-encoding": "gzip" } },
    current: { ...plain, url: boardUrl, headers: { cookie, "if-none-match": etag }, status: 304 },
    changed: { ...plain, url: boardUrl, headers: { cookie }, change },
    aloneBare: { ...plain, url: bareUrl, headers: {}, connections: 1, change },
    aloneBuild: { ...plain, url: boardUrl, headers: { cookie }, connections: 1, change },
  } satisfies Record<string, LoadPlan>;
  type Case = keyof typeof cases;
  const names = Object.keys(cases) as Case[];
  const rounds = new Map<Case, LoadResult[]>(names.map((name) => [name, []]));
  const memory: Partial<Record<Case | "start", number>> = { start: await server.memory() };

  // The board's version changes in some cases, so we fetch the client's current version anew before each run.
  const planOf = async (name: Case, seconds: number): Promise<LoadPlan> => {
    if (name !== "current") return { ...cases[name], seconds };
    const fresh = await fetch(boardUrl, { headers: { cookie } });
    await fresh.arrayBuffer();
    return { ...cases.current, headers: { cookie, "if-none-match": fresh.headers.get("etag") ?? "" }, seconds };
  };
  for (const name of names) await load(await planOf(name, WARM_SECONDS));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const name of names) {
      rounds.get(name)?.push(await load(await planOf(name, SECONDS)));
      memory[name] = await server.memory();
    }
    console.log(`round ${round} of ${ROUNDS} done`);
  }
  report(rounds, memory);
}

function report(rounds: ReadonlyMap<string, LoadResult[]>, memory: Record<string, number | undefined>): void {
  const median = (name: string, field: keyof LoadResult): number => {
    const values = (rounds.get(name) ?? []).map((result) => result[field]).sort((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? Number.NaN;
  };
  const sum = (name: string, field: keyof LoadResult): number =>
    (rounds.get(name) ?? []).reduce((total, result) => total + result[field], 0);
  const row = (name: string, title: string, against: string): string => {
    const ratio = median(name, "perSecond") / median(against, "perSecond");
    const cells = [
      title,
      Math.round(median(name, "perSecond")).toLocaleString("en"),
      median(name, "p50Ms").toFixed(1),
      median(name, "p99Ms").toFixed(1),
      `${ratio.toFixed(ratio < 10 ? 2 : 0)}×`,
      Math.round(median(name, "bytes")).toLocaleString("en"),
    ];
    return `| ${cells.join(" | ")} |`;
  };
  const built = (name: string): string =>
    `${sum(name, "boards")} builds for ${sum(name, "reads").toLocaleString("en")} reads`;

  console.log(`
${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians.

| ${CONNECTIONS} connections | reads/s | p50 ms | p99 ms | ratio | bytes |
|---|---|---|---|---|---|
${row("bare", "bare Fastify handler, `pg` objects", "bare")}
${row("first", "first read", "bare")}
${row("firstGzip", "first read, gzip as browsers ask", "bare")}
${row("current", "read by a client that has the current version (304)", "bare")}
${row("changed", "read after a change: the version moves before every read", "bare")}

| one connection, the version moves before every read | reads/s | p50 ms | p99 ms | ratio | bytes |
|---|---|---|---|---|---|
${row("aloneBare", "bare Fastify handler", "aloneBare")}
${row("aloneBuild", "board, every read is a build", "aloneBare")}

Builds: ${built("first")} (first read); ${built("changed")} (after a change, ${CONNECTIONS} connections); ${built("aloneBuild")} (one connection).
Memory of the server (RSS): ${Math.round(memory.start ?? 0)} MB before, ${Math.round(memory.first ?? 0)} MB after first reads, ${Math.round(memory.current ?? 0)} MB after reads of the current version, ${Math.round(memory.aloneBuild ?? 0)} MB at the end.`);
}
