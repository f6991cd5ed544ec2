// Measures door events stored by UnlockIngest, with all their effects, against a bare INSERT of the same rows into the
// same table: 500 locks, interleaved rounds. Prints the table of docs/operators/performance.md.
import assert from "node:assert/strict";
import { connectDatabase, type Database } from "../apps/server/src/adapters/postgres/client.ts";
import { UnlockIngest } from "../apps/server/src/domain/access/unlocks/ingest.ts";
import { machine, withLoadHotel } from "./measuring/load-database.ts";
import { Rounds } from "./measuring/rounds.ts";
import { insertBare } from "./unlocks/bare-insert.ts";
import { readStreet, type Street } from "./unlocks/street.ts";

const ROUNDS = 7;
const PER_LOCK = 60;
const POOL = 8;
/**
 * Events per report: a lock that reports at once, one that was offline for an hour, and one that was offline for a day.
 */
const REPORTS = [1, 5, 60] as const;

type Case = `${"bare" | "ingest"} ${(typeof REPORTS)[number]}`;
const rounds = new Rounds<Case>();

await withLoadHotel(
  async (database, hotelId) => {
    await (await readStreet(database, hotelId)).writeCards();
  },
  async ({ url, hotelId }) => {
    const database = connectDatabase(url, POOL, () => undefined);
    try {
      const street = await readStreet(database, hotelId);
      await round(database, street, () => undefined);
      for (let n = 1; n <= ROUNDS; n += 1) {
        await round(database, street, (name, perSecond) => rounds.add(name, perSecond));
        console.log(`round ${n} of ${ROUNDS} done`);
      }
    } finally {
      await database.close();
    }
  },
);

async function round(database: Database, street: Street, note: (name: Case, perSecond: number) => void): Promise<void> {
  for (const size of REPORTS) {
    const bare = street.records(PER_LOCK);
    note(`bare ${size}`, await perSecond(bare.length, () => insertBare(database, bare)));
    const reports = street.reports(PER_LOCK, size);
    const ingest = new UnlockIngest({ database, clock: { now: () => new Date() }, log: console });
    const count = reports.flat().reduce((sum, { events }) => sum + events.length, 0);
    // Each lock waits for its acknowledgement before it sends more, as the broker enforces.
    const send = async (ofLock: (typeof reports)[number]): Promise<void> => {
      for (const { name, events } of ofLock) await ingest.events(name, events);
    };
    note(`ingest ${size}`, await perSecond(count, () => Promise.all(reports.map(send))));
  }
  const { rows } = await database.pool.query<{ records: number; alerts: number }>(
    "SELECT (SELECT count(*)::int FROM unlock_record) AS records, (SELECT count(*)::int FROM alert) AS alerts",
  );
  assert.equal(rows[0]?.records, street.eventCount, "every event is stored once");
  assert.equal(rows[0]?.alerts, 0, "no event was missed");
}

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (count * 1000) / (performance.now() - start);
}

const rate = (name: Case): string => Math.round(rounds.median(name)).toLocaleString("en");
console.log(`
${machine()}, ${ROUNDS} interleaved rounds of ${500 * PER_LOCK} events each way, medians.

| 500 locks, events in a report | bare INSERT, events/s | ingest, events/s | ratio |
|---|---|---|---|
${REPORTS.map((size) => `| ${size} | ${rate(`bare ${size}`)} | ${rate(`ingest ${size}`)} | ${rounds.ratio(`ingest ${size}`, `bare ${size}`).toFixed(2)}× |`).join("\n")}`);
