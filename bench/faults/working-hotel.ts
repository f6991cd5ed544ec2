import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase, type Database } from "../../apps/server/src/adapters/postgres/client.ts";
import { migrate } from "../../apps/server/src/adapters/postgres/migrate.ts";
import { CIPHER_SETTINGS, logInAsOldClient } from "../manage/old-client.ts";
import { addLoadHotel } from "../measuring/load-database.ts";
import { OWNER } from "../measuring/owner.ts";
import { Browser, logIn } from "../soak/asking.ts";
import { OpenBoard } from "../soak/boards.ts";
import { fillLocks, lockAccesses, waitForLocks } from "../soak/fill-locks.ts";
import { SoakHotel } from "../soak/hotel.ts";
import { Hour } from "../soak/hour.ts";
import { freePort } from "../soak/neighbours.ts";
import { pace } from "../soak/pace.ts";
import { checkDatabase, type DatabaseCheck, SECRET_KEY, waitForQueues } from "../soak/reckoning.ts";
import { type Server, startServer } from "../soak/server.ts";
import { type LocksProcess, startLocks } from "../soak/street.ts";
import { fillRecords } from "../unlocks/fill.ts";
import { waitForDatabase } from "./neighbours.ts";
import { Pictures } from "./pictures.ts";
import { Timeline } from "./timeline.ts";

const HALF_A_SECOND_PER_HOUR = 1_800;
/** Longer than the console's own time limit. */
const GIVE_UP_MS = 45_000;
const DRAIN_MS = 90_000;

export interface HotelSizes {
  rooms: number;
  /** locks that are connected */
  locks: number;
  desks: number;
  records: number;
}

export interface Environment {
  databaseUrl: string;
  /** server settings in addition to the common ones */
  env?: Record<string, string>;
  /** broker that the locks connect to, if not the server's */
  brokerUrl?: string;
  /** folder for the server's data, if not a temporary one */
  filesIn?: string;
}

/** A small hotel with a steady load while a service beside the server fails. */
export interface WorkingHotel {
  server: Server;
  timeline: Timeline;
  database: Database;
  /** runs until `end` */
  work(): Promise<void>;
  /** starts no further requests */
  end(): void;
  /** checks the database and returns what is wrong */
  checkDatabase(): Promise<DatabaseCheck[]>;
  close(): Promise<void>;
}

export async function openHotel(name: string, environment: Environment, sizes: HotelSizes): Promise<WorkingHotel> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.reverse()) await one().catch(console.error);
    closing.length = 0;
  };
  try {
    return await open(name, environment, sizes, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  name: string,
  { databaseUrl, env = {}, brokerUrl, filesIn }: Environment,
  sizes: HotelSizes,
  closing: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<WorkingHotel> {
  const dataDir = filesIn ?? (await mkdtemp(join(tmpdir(), "innkey-faults-")));
  if (!filesIn) closing.push(() => rm(dataDir, { recursive: true, force: true }));
  await migrate(databaseUrl, fileURLToPath(new URL("../../prisma/migrations", import.meta.url)));
  const database = connectDatabase(databaseUrl, 2, () => undefined);
  closing.push(() => database.close());
  const hotelId = await addLoadHotel(database, sizes.rooms);
  await fillLocks(database, hotelId, sizes.rooms);
  await fillRecords(database, hotelId, sizes.records);

  const mqttPort = brokerUrl ? 0 : await freePort();
  const settings = { DATABASE_URL: databaseUrl, DATABASE_POOL: "8", SECRET_KEY };
  const server = await startServer(`faults-${name}`, {
    ...CIPHER_SETTINGS,
    ...settings,
    MQTT_PORT: String(mqttPort),
    ...(brokerUrl && { MQTT_URL: brokerUrl }),
    DATA_DIR: dataDir,
    ...env,
  });
  closing.push(() => server.stop());
  const { url } = server;
  const desks: Browser[] = [];
  for (let desk = 0; desk < sizes.desks; desk += 1)
    desks.push(new Browser(url, (await logIn(url, OWNER)).result, GIVE_UP_MS));
  const [first] = desks as [Browser];
  // The desks open only doors whose lock is connected; the others would wait for ever.
  const accesses = await lockAccesses(database, hotelId, sizes.locks, first);
  await database.pool.query("DELETE FROM lock WHERE hotel_id = $1 AND mac <> ALL ($2::text[])", [
    hotelId,
    accesses.map(({ mac }) => mac),
  ]);
  const locks: LocksProcess = startLocks({
    ...{ url: brokerUrl ?? `mqtt://127.0.0.1:${mqttPort}`, hotelId, locks: accesses },
    ...{ perHour: HALF_A_SECOND_PER_HOUR * 2, drainMs: DRAIN_MS },
  });
  closing.push(() => locks.stop());
  await locks.awake();
  await waitForLocks(database, hotelId);

  const timeline = new Timeline();
  const hotel = await SoakHotel.read(database, hotelId);
  const { rows } = await database.pool.query<{ roomId: number }>(
    'SELECT room_id AS "roomId" FROM lock WHERE hotel_id = $1 AND room_id IS NOT NULL',
    [hotelId],
  );
  hotel.rooms.splice(0, hotel.rooms.length, ...rows.map(({ roomId }) => roomId));
  const oldToken = await logInAsOldClient(url);
  const hour = new Hour({
    server: url,
    hotelId,
    hotel,
    measures: timeline,
    desks,
    oldToken,
    serviceToken: "",
    cards: false,
  });
  const pictures = new Pictures(url, first, timeline);
  const boards = desks.map((desk) => new OpenBoard(url, desk, timeline));
  const following = boards.map((board) => board.follow());
  let isEnding = false;
  const repeat = async (perHour: number, act: (dueMs: number) => Promise<void>): Promise<void> => {
    const works: Promise<void>[] = [];
    while (!isEnding) await pace(perHour, performance.now() + 500, async (dueMs) => void works.push(act(dueMs)));
    await Promise.all(works);
  };
  const { arrivals, departures, cleaned, doorsOpened, guestsLookedUp, recordsLookedUp, exports, oldClientPolls } =
    hour.acts;
  return {
    server,
    timeline,
    database,
    async work() {
      locks.go();
      await Promise.all([
        ...[arrivals, departures, cleaned, doorsOpened, guestsLookedUp, recordsLookedUp, oldClientPolls].map((act) =>
          repeat(HALF_A_SECOND_PER_HOUR, act),
        ),
        repeat(HALF_A_SECOND_PER_HOUR / 2, exports),
        repeat(HALF_A_SECOND_PER_HOUR, (dueMs) => pictures.upload(dueMs)),
        repeat(HALF_A_SECOND_PER_HOUR, (dueMs) => pictures.view(dueMs)),
      ]);
    },
    end() {
      isEnding = true;
    },
    async checkDatabase() {
      for (const board of boards) board.close();
      await Promise.all(following);
      const { sent, unacknowledged } = await locks.end();
      await waitForDatabase(databaseUrl);
      return [
        await waitForQueues(database),
        ...(await checkDatabase(database, hotelId, hour.acknowledged, sent)),
        { question: "door events that the console did not acknowledge", wrong: unacknowledged },
        { question: "accepted pictures that can't be read", wrong: await pictures.missing() },
        { question: "unfinished files on disk", wrong: await countUnfinishedFiles(dataDir) },
      ];
    },
    close,
  };
}

async function countUnfinishedFiles(dataDir: string): Promise<number> {
  const names = await readdir(dataDir, { recursive: true });
  return names.filter((name) => name.endsWith(".part")).length;
}
