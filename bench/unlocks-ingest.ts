// Measures door events stored by UnlockIngest, with all their effects, against a bare INSERT of the same rows into the
// same table, in interleaved rounds.
import assert from "node:assert/strict";
import { connectDatabase, type Database } from "../apps/server/src/adapters/postgres/client.ts";
import { UnlockIngest } from "../apps/server/src/domain/access/unlocks/ingest.ts";
import { openBench } from "./measuring/bench.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import { Rounds } from "./measuring/rounds.ts";
import { insertBare } from "./unlocks/bare-insert.ts";
import { readStreet, type Street } from "./unlocks/street.ts";

const bench = openBench("unlocks-ingest", {
  full: { locks: 500, perLock: 60, rounds: 7 },
  tiny: { locks: 10, perLock: 60, rounds: 1 },
});
const { locks, perLock, rounds } = bench.sizes;
const POOL = 8;
/**
 * Events per report: a lock that reports at once, one that was offline for an hour, and one that was offline for a day.
 */
const REPORTS = [1, 5, 60] as const;

type Case = `${"bare" | "ingest"} ${(typeof REPORTS)[number]}`;
const measured = new Rounds<Case>();

await withLoadHotel(
  locks,
  async (database, hotelId) => {
    await (await readStreet(database, hotelId)).writeCards();
  },
  async ({ url, hotelId }) => {
    const database = connectDatabase(url, POOL, () => undefined);
    try {
      const street = await readStreet(database, hotelId);
      await measureRound(database, street, () => undefined);
      for (let round = 1; round <= rounds; round += 1) {
        await measureRound(database, street, (name, perSecond) => measured.add(name, perSecond));
        console.log(`round ${round} of ${rounds} done`);
      }
    } finally {
      await database.close();
    }
  },
);
await bench.finish(
  REPORTS.map((size) => ({
    ...{ table: "reports", eventsPerReport: size },
    insertedPerSecond: measured.median(`bare ${size}`),
    ingestedPerSecond: measured.median(`ingest ${size}`),
    ratio: measured.ratio(`ingest ${size}`, `bare ${size}`),
  })),
);

async function measureRound(
  database: Database,
  street: Street,
  note: (name: Case, perSecond: number) => void,
): Promise<void> {
  for (const size of REPORTS) {
    const bare = street.records(perLock);
    note(`bare ${size}`, await measurePerSecond(bare.length, () => insertBare(database, bare)));
    const reports = street.reports(perLock, size);
    const ingest = new UnlockIngest({ database, clock: { now: () => new Date() }, log: console });
    const count = reports.flat().reduce((sum, { events }) => sum + events.length, 0);
    // Each lock waits for its acknowledgement before it sends more, as the broker enforces.
    const send = async (ofLock: (typeof reports)[number]): Promise<void> => {
      for (const { name, events } of ofLock) await ingest.events(name, events);
    };
    note(`ingest ${size}`, await measurePerSecond(count, () => Promise.all(reports.map(send))));
  }
  const { rows } = await database.pool.query<{ records: number; alerts: number }>(
    "SELECT (SELECT count(*)::int FROM unlock_record) AS records, (SELECT count(*)::int FROM alert) AS alerts",
  );
  assert.equal(rows[0]?.records, street.eventCount, "every event is stored once");
  assert.equal(rows[0]?.alerts, 0, "no event was missed");
}

async function measurePerSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (count * 1000) / (performance.now() - start);
}
