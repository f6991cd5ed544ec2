// Measures the time from a click at the desk until the lock's answer is stored, with simulated locks on the console's
// embedded broker that report events all the while.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { connectDatabase, type Database } from "../apps/server/src/adapters/postgres/client.ts";
import { accessHash } from "../apps/server/src/domain/access/lock-links/device-access.ts";
import { type Door, startStreet } from "../apps/simulators/src/locks/street.ts";
import { lockUser } from "../packages/shared/src/locks/protocol.ts";
import { openBench } from "./measuring/bench.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import type { Row } from "./measuring/result.ts";
import { freePort } from "./soak/neighbours.ts";

// `openings` are clicks a second at the desks, and `events` events a second of all doors. A tenth of a second has a
// whole number of each.
const bench = openBench("commands", {
  full: { rooms: 500, locks: 1_000, openings: 20, events: 100, seconds: 60 },
  tiny: { rooms: 5, locks: 10, openings: 10, events: 10, seconds: 1 },
});
const { sizes } = bench;
const PASSWORD = "of-the-bench";
const AWAKE_MS = 180_000;

/** Adds rooms until there are enough locks, all with the same password. */
async function fill({ pool }: Database, hotelId: number): Promise<void> {
  const { rows } = await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM lock WHERE hotel_id = $1", [
    hotelId,
  ]);
  await pool.query(
    `WITH more AS (INSERT INTO room (hotel_id, name) SELECT $1, 'Bench ' || n FROM generate_series(1, $2::int) n RETURNING id)
     INSERT INTO lock (hotel_id, room_id, mac)
     SELECT $1, id, upper('0e:' || regexp_replace(lpad(to_hex(id), 10, '0'), '(..)(?=.)', '\\1:', 'g')) FROM more`,
    [hotelId, Math.max(0, sizes.locks - (rows[0]?.n ?? 0))],
  );
  await pool.query("UPDATE lock SET access_hash = $2 WHERE hotel_id = $1", [hotelId, accessHash(PASSWORD)]);
}

interface LockRow {
  mac: string;
  roomId: number;
}

await withLoadHotel(sizes.rooms, fill, async ({ url, hotelId, world }) => {
  const port = await freePort();
  const server = await world.serve(url, { env: { MQTT_PORT: String(port) } });
  const database = connectDatabase(url, 2, () => undefined);
  const { rows: locks } = await database.pool.query<LockRow>(
    'SELECT mac, room_id AS "roomId" FROM lock WHERE hotel_id = $1 ORDER BY id LIMIT $2',
    [hotelId, sizes.locks],
  );
  const street = startStreet({
    locks: locks.map(({ mac }) => ({
      url: `mqtt://127.0.0.1:${port}`,
      user: lockUser(hotelId, mac),
      password: PASSWORD,
      // These locks receive no keys.
      pairingSecret: "00".repeat(16),
      ...{ hotelId, mac },
    })),
  });
  try {
    assert.equal(await street.awake(AWAKE_MS), sizes.locks, "all locks are connected");
    await waitUntil(
      async () => (await countRows(database, "SELECT count(*)::int AS n FROM lock WHERE online")) === sizes.locks,
    );
    const before = await server.memory();
    const answers = await measure(server.url, locks, street.doors, database);
    await bench.finish([
      answers,
      { table: "memory", when: "with all locks connected", serverMb: before },
      { table: "memory", when: "at the end", serverMb: await server.memory() },
    ]);
  } finally {
    await street.stop();
    await server.stop();
    await database.close();
  }
});

async function countRows({ pool }: Database, text: string): Promise<number> {
  return (await pool.query<{ n: number }>(text)).rows[0]?.n ?? 0;
}

async function waitUntil(isMet: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + AWAKE_MS; !(await isMet()); await delay(200))
    assert.ok(Date.now() < end, "the condition was not met in time");
}

async function measure(
  url: string,
  locks: readonly LockRow[],
  doors: readonly Door[],
  database: Database,
): Promise<Row> {
  const cookie = await logIn(url);
  const headers = { "content-type": "application/json", "x-innkey": "1", cookie };
  const open = async (roomId: number): Promise<void> => {
    const response = await fetch(`${url}/api/trpc/locks.open`, {
      method: "POST",
      headers,
      body: JSON.stringify({ roomId, reason: "lockout" }),
    });
    assert.ok(response.ok, `a door answered ${response.status}`);
  };
  const openings: Promise<void>[] = [];
  let received = 0;
  const startedAt = performance.now();
  for (let tick = 0; tick < sizes.seconds * 10; tick += 1) {
    for (let n = 0; n < sizes.events / 10; n += 1) {
      doors[(received * 7) % doors.length]?.lock.turnKey();
      received += 1;
    }
    for (let n = 0; n < sizes.openings / 10; n += 1)
      openings.push(open(locks[(openings.length * 13) % locks.length]?.roomId ?? 0));
    await delay(Math.max(0, startedAt + (tick + 1) * 100 - performance.now()));
  }
  await Promise.all(openings);
  await waitUntil(
    async () =>
      (await countRows(database, "SELECT count(*)::int AS n FROM lock_command WHERE state IN ('queued', 'sent')")) ===
      0,
  );
  const opened = await countRows(
    database,
    "SELECT count(*)::int AS n FROM lock_command WHERE type = 'unlock' AND state = 'acknowledged'",
  );
  assert.equal(opened, openings.length, "every door was opened");
  await waitUntil(
    async () =>
      (await countRows(
        database,
        "SELECT count(*)::int AS n FROM unlock_record WHERE style = 'key' AND lock_seq > 0",
      )) >= received,
  );
  const { rows } = await database.pool.query<{ p50: number; p95: number; p99: number; most: number }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95,
       percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99, max(ms) AS most
     FROM (SELECT extract(epoch FROM ended_at - created_at)::float8 * 1000 AS ms FROM lock_command WHERE type = 'unlock') t`,
  );
  const [row] = rows;
  assert.ok(row);
  return {
    ...{ table: "answers", from: "click to the lock's answer on record" },
    ...{ p50Ms: row.p50, p95Ms: row.p95, p99Ms: row.p99, mostMs: row.most },
  };
}
