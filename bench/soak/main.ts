// npm run soak -- [--minutes 10] [--rooms 500] [--locks 1000] [--factor 10] [--redis] [--workers] [--pool 8] [--tiny]:
// runs the busiest hour of a hotel (described in busiest-hour.ts) at `factor` times its load against the built server.
// Exits with 1 on any error, on acknowledged changes missing from the database, or on growing memory.
import { join } from "node:path";
import { connectDatabase } from "../../apps/server/src/adapters/postgres/client.ts";
import { CIPHER_SETTINGS, logInAsOldClient } from "../manage/old-client.ts";
import { openBench } from "../measuring/bench.ts";
import { addColleagues } from "../measuring/colleagues.ts";
import { addLoadHotel } from "../measuring/load-database.ts";
import { OWNER } from "../measuring/owner.ts";
import { type World, withWorld } from "../measuring/world.ts";
import { agentOfComputer, ask, Browser, logIn } from "./asking.ts";
import { ExpectedRooms, OpenBoard } from "./boards.ts";
import { ACTS, DESKS, GIVE_UP_MS, HOUR, UNLOCKS_PER_HOUR, WARM_SHARE } from "./busiest-hour.ts";
import { fillLocks, lockAccesses, waitForLocks } from "./fill-locks.ts";
import { SoakHotel } from "./hotel.ts";
import { Hour } from "./hour.ts";
import { Measures } from "./measures.ts";
import { freePort, startRedis } from "./neighbours.ts";
import { pace } from "./pace.ts";
import { checkDatabase, SECRET_KEY, waitForQueues } from "./reckoning.ts";
import { failuresOf, rowsOfSoak, type SoakReport } from "./report.ts";
import { type Server, startServer, WATCHED_HEAP } from "./server.ts";
import { startLocks } from "./street.ts";
import { Watch } from "./watch.ts";

const bench = openBench("soak", {
  full: { minutes: 10, rooms: 500, locks: 1_000, factor: 10, pool: 8 },
  tiny: { minutes: 0.06, rooms: 20, locks: 20, factor: 0.5, pool: 8 },
  switches: ["redis", "workers"],
});
/** The console ends the oldest sessions of somebody who has more than twenty. */
const DESKS_A_PERSON = 10;
/** A board has this long to show the last changes. */
const CURRENT_MS = 10_000;
const { minutes, rooms, locks: lockCount, factor, pool } = bench.sizes;
const { redis = false, workers = false } = bench.switches;

const report = await withWorld(runSoak);
await bench.finish(rowsOfSoak(report), { desks: report.desks, redis, workers });
const problems = failuresOf(report, { withMemory: !bench.isTiny });
for (const line of problems) console.log(`WRONG: ${line}`);
console.log(problems.length === 0 ? "Every acknowledged change is stored exactly once." : `${problems.length} wrong.`);
process.exit(problems.length === 0 ? 0 : 1);

async function runSoak(world: World): Promise<SoakReport> {
  /** Close functions of everything opened so far, called in reverse order whatever happens. */
  const closing: (() => Promise<unknown>)[] = [];
  try {
    return await soak(world, closing);
  } finally {
    for (const close of closing.reverse()) await close().catch(console.error);
  }
}

async function countWrong(boards: readonly OpenBoard[]): Promise<number> {
  const areCurrent = await Promise.all(boards.map((board) => board.isCurrent(CURRENT_MS)));
  return areCurrent.filter((isCurrent) => !isCurrent).length;
}

async function soak({ dataDir, ...world }: World, closing: (() => Promise<unknown>)[]): Promise<SoakReport> {
  const databaseUrl = await world.database("soak");
  const database = connectDatabase(databaseUrl, 2, () => undefined);
  closing.push(() => database.close());
  const hotelId = await addLoadHotel(database, rooms);
  await fillLocks(database, hotelId, lockCount);
  await database.pool.query("VACUUM ANALYZE");

  const mqttPort = await freePort();
  const settings: Record<string, string> = {
    ...CIPHER_SETTINGS,
    ...{ DATABASE_URL: databaseUrl, DATABASE_POOL: String(pool), SECRET_KEY },
    DATA_DIR: join(dataDir, "server"),
  };
  if (redis) {
    const neighbour = await startRedis(dataDir);
    closing.push(() => neighbour.stop());
    settings.REDIS_URL = neighbour.url;
  }
  const servers: Record<string, Server> = {};
  if (workers) {
    const worker = { ...settings, ROLE: "worker", MQTT_PORT: String(mqttPort) };
    servers.worker = await startServer("soak-worker", worker, { ready: /ready/, nodeOptions: WATCHED_HEAP });
  }
  const role: Record<string, string> = workers ? { ROLE: "web" } : { MQTT_PORT: String(mqttPort) };
  servers.server = await startServer("soak-server", { ...settings, ...role }, { nodeOptions: WATCHED_HEAP });
  for (const server of Object.values(servers)) closing.push(() => server.stop());
  const { url } = servers.server;

  const measures = new Measures();
  const hotel = await SoakHotel.read(database, hotelId);
  const deskCount = DESKS * factor;
  const colleagues = await addColleagues(database, hotelId, Math.ceil(deskCount / DESKS_A_PERSON));
  const desks: Browser[] = [];
  for (let desk = 0; desk < deskCount; desk += 1) {
    const mobile = desk === 0 ? OWNER.mobile : (colleagues[Math.floor(desk / DESKS_A_PERSON)] ?? "");
    const { result: cookie } = await logIn(url, { ...OWNER, mobile });
    desks.push(new Browser(url, cookie, GIVE_UP_MS, agentOfComputer(desk)));
  }
  const [first] = desks;
  if (!first) throw new Error("there is no desk");
  const accesses = await lockAccesses(database, hotelId, lockCount, first);
  const perHour = UNLOCKS_PER_HOUR * factor;
  const locks = startLocks({ url: `mqtt://127.0.0.1:${mqttPort}`, hotelId, locks: accesses, perHour, drainMs: 60_000 });
  closing.push(() => locks.stop());
  const awake = await locks.awake();
  if (awake !== accesses.length) throw new Error(`${awake} of ${accesses.length} locks are connected`);
  await first.change("cards.newProfile", { cipher: "aes", block: 0, keyType: "A" });
  await waitForLocks(database, hotelId);
  const oldToken = await logInAsOldClient(url);
  const expectedRooms = new ExpectedRooms();
  const hour = new Hour({
    server: url,
    hotelId,
    hotel,
    measures,
    desks,
    expectedRooms,
    oldToken,
    serviceToken: await createServiceToken(url, first),
  });

  const boards = desks.map((desk) => new OpenBoard(url, desk, measures, expectedRooms));
  const following = boards.map((board) => board.follow());
  const watch = new Watch(servers, url, database);
  console.log(
    `${minutes} minutes of ${factor} times the busiest hour: ${rooms} rooms, ${accesses.length} locks, ${desks.length} boards …`,
  );
  const startedAt = performance.now();
  const until = startedAt + minutes * 60_000;
  setTimeout(() => watch.begin(), minutes * 60_000 * WARM_SHARE).unref();
  locks.go();
  const works = ACTS.map((act) => pace(HOUR[act] * factor, until, hour.acts[act]));
  // A tiny run is too short for the rare acts, so that each begins once in addition.
  if (bench.isTiny) for (const act of ACTS) works.push(hour.acts[act](performance.now()));
  await Promise.all(works);
  const seconds = (performance.now() - startedAt) / 1000;
  const watched = watch.end();
  const { sent, unacknowledged } = await locks.end();
  const checks = [await waitForQueues(database), ...(await checkDatabase(database, hotelId, hour.acknowledged, sent))];
  checks.push({ question: "boards that don't show what the server's board shows", wrong: await countWrong(boards) });
  const receivedCount = boards.reduce((sum, board) => sum + board.boardEvents, 0);
  const cuts = boards.reduce((sum, board) => sum + board.cuts, 0);
  for (const board of boards) board.close();
  await Promise.all(following);
  checks.push({ question: "door events that the console did not acknowledge", wrong: unacknowledged });
  checks.push({ question: "event streams that were cut", wrong: cuts });
  const { requests, checkIns, checkOuts, exportedFiles } = hour.acknowledged;
  return {
    ...{ desks: desks.length, seconds },
    kinds: measures.summaries(),
    acknowledged: {
      changes: requests.length,
      checkIns: checkIns.length,
      checkOuts: checkOuts.length,
      doorEvents: Object.values(sent).reduce((sum, count) => sum + count, 0),
      exportedFiles,
      boardEvents: receivedCount,
    },
    commandsMs: await commandTimes(),
    watched,
    checks,
    alive: Object.values(servers).every(({ alive }) => alive),
    logged: Object.values(servers).flatMap(({ errors }) => errors.slice(0, 20)),
  };

  /** Measures the time from the desk's commit until the lock's answer is stored. */
  async function commandTimes(): Promise<SoakReport["commandsMs"]> {
    const { rows: times } = await database.pool.query<{ count: number; p50: number; p99: number; most: number }>(
      `SELECT count(*)::int, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50,
         percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99, max(ms) AS most
       FROM (SELECT extract(epoch FROM ended_at - created_at)::float8 * 1000 AS ms FROM lock_command
              WHERE hotel_id = $1 AND type = 'unlock' AND state = 'acknowledged') t`,
      [hotelId],
    );
    return times[0] ?? { count: 0, p50: 0, p99: 0, most: 0 };
  }
}

/** Creates an API key for a program that writes cards, and logs in with it. */
async function createServiceToken(url: string, desk: Browser): Promise<string> {
  const scopes = ["rooms.view", "cards.view", "cards.issue"];
  const { result } = await desk.change<{ token: string }>("integrations.createKey", {
    name: "Card service",
    scopes,
    expiresAt: null,
  });
  const [, key, secret] = /^(ik_[0-9a-f]+)_(.+)$/.exec(result.token) ?? [];
  const { body } = await ask(
    `${url}/auth/login`,
    { "content-type": "application/json" },
    JSON.stringify({ key, secret }),
  );
  return (JSON.parse(body.toString()) as { data: { token: string } }).data.token;
}
