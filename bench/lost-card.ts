// Reports a master key card of a large house lost while some of its locks are away, and measures how long it takes until
// the plan is complete and until it is empty. The locks are simulated and connected to the console's embedded broker.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { connectDatabase, type Database } from "../apps/server/src/adapters/postgres/client.ts";
import { accessHash } from "../apps/server/src/domain/access/lock-links/device-access.ts";
import { type Door, startStreet } from "../apps/simulators/src/locks/street.ts";
import { lockUser } from "../packages/shared/src/locks/protocol.ts";
import type { PreparedCard } from "../packages/shared/src/schemas/access/cards.ts";
import type { RemovalPlan } from "../packages/shared/src/schemas/access/removal-plan.ts";
import { openBench } from "./measuring/bench.ts";
import { withLoadHotel } from "./measuring/load-database.ts";
import { logIn } from "./measuring/owner.ts";
import type { Row } from "./measuring/result.ts";
import { freePort } from "./soak/neighbours.ts";

const bench = openBench("lost-card", {
  full: { locks: 500, away: 50, planReads: 20 },
  tiny: { locks: 6, away: 2, planReads: 2 },
});
const { sizes } = bench;
const PASSWORD = "of-the-bench";
const UID = "DA3CBC66";
const LIMIT_MS = 180_000;

/** Adds or removes rooms until there are as many locks as the house has, all with the same password. */
async function fill({ pool }: Database, hotelId: number): Promise<void> {
  const { rows } = await pool.query<{ n: number }>("SELECT count(*)::int AS n FROM lock WHERE hotel_id = $1", [
    hotelId,
  ]);
  await pool.query(
    `WITH more AS (INSERT INTO room (hotel_id, name, floor) SELECT $1, 'Bench ' || n, n / 25 FROM generate_series(1, $2::int) n RETURNING id)
     INSERT INTO lock (hotel_id, room_id, mac)
     SELECT $1, id, upper('0e:' || regexp_replace(lpad(to_hex(id), 10, '0'), '(..)(?=.)', '\\1:', 'g')) FROM more`,
    [hotelId, Math.max(0, sizes.locks - (rows[0]?.n ?? 0))],
  );
  await pool.query("UPDATE lock SET access_hash = $2 WHERE hotel_id = $1", [hotelId, accessHash(PASSWORD)]);
}

/** Calls of the console. */
class Console {
  private readonly url: string;
  private readonly headers: Record<string, string>;

  constructor(url: string, cookie: string) {
    this.url = url;
    this.headers = { "content-type": "application/json", "x-innkey": "1", cookie };
  }

  change<T>(procedure: string, input: object): Promise<T> {
    return this.call(procedure, { method: "POST", body: JSON.stringify(input) });
  }

  plan(cardId: number): Promise<RemovalPlan> {
    return this.call(`cards.removalPlan?input=${encodeURIComponent(JSON.stringify({ cardId }))}`, {});
  }

  private async call<T>(path: string, request: RequestInit): Promise<T> {
    const response = await fetch(`${this.url}/api/trpc/${path}`, { ...request, headers: this.headers });
    const text = await response.text();
    assert.ok(response.ok, `${path} answered ${response.status}: ${text}`);
    return JSON.parse(text).result.data as T;
  }
}

const hasCard = ({ lock }: Door): boolean => lock.memory.slots.some(({ uid }) => uid === UID);
const withCard = (doors: readonly Door[]): number => doors.filter(hasCard).length;

await withLoadHotel(Math.min(sizes.locks, 5), fill, async ({ url, hotelId, world }) => {
  const port = await freePort();
  const server = await world.serve(url, { env: { MQTT_PORT: String(port) } });
  const database = connectDatabase(url, 2, () => undefined);
  const { rows: locks } = await database.pool.query<{ mac: string }>(
    "SELECT mac FROM lock WHERE hotel_id = $1 AND room_id IS NOT NULL ORDER BY id",
    [hotelId],
  );
  assert.equal(locks.length, sizes.locks);
  const street = startStreet({
    locks: locks.map(({ mac }) => ({
      url: `mqtt://127.0.0.1:${port}`,
      user: lockUser(hotelId, mac),
      password: PASSWORD,
      // These locks receive no keys, so they only have lists.
      pairingSecret: "00".repeat(16),
      ...{ hotelId, mac },
    })),
  });
  try {
    assert.equal(await street.awake(LIMIT_MS), sizes.locks, "all locks are connected");
    await bench.finish(await loseCard(new Console(server.url, await logIn(server.url)), street.doors));
  } finally {
    await street.stop();
    await server.stop();
    await database.close();
  }
});

async function loseCard(desk: Console, doors: readonly Door[]): Promise<Row[]> {
  const steps: Row[] = [];
  const measure = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    steps.push({ table: "steps", step, seconds: (performance.now() - startedAt) / 1000 });
    return result;
  };
  const { cardId, data } = await desk.change<PreparedCard>("cards.prepareMaster", {
    kind: "universal",
    uid: UID,
    note: "Night manager",
  });
  await measure("the card is written, the call", () => desk.change("cards.confirm", { cardId, readBack: data }));
  await measure("every lock has it", () => until(async () => withCard(doors) === sizes.locks));

  const away = doors.slice(0, sizes.away);
  for (const { lock } of away) lock.faults = { ...lock.faults, offline: true };
  await until(async () => away.every(({ online }) => !online));

  const lostAt = performance.now();
  await measure("the card is reported lost, the call", () => desk.change("cards.revoke", { cardId, reason: "lost" }));
  const present = doors.slice(sizes.away);
  await until(async () => withCard(present) === 0);
  let plan = await desk.plan(cardId);
  await until(async () => {
    plan = await desk.plan(cardId);
    return plan.confirmed.length === sizes.locks - sizes.away;
  });
  steps.push({
    table: "steps",
    step: "all locks that are online have confirmed",
    seconds: (performance.now() - lostAt) / 1000,
  });
  assert.deepEqual([plan.locks, plan.left.length, plan.ended, plan.endsAt], [sizes.locks, sizes.away, 0, null]);
  const macs = new Set(away.map(({ name }) => name));
  assert.equal(macs.size, sizes.away);
  assert.equal(withCard(away), sizes.away, "locks that are away still open for the card");

  const reads: number[] = [];
  for (let read = 0; read < sizes.planReads; read += 1) {
    const startedAt = performance.now();
    await desk.plan(cardId);
    reads.push(performance.now() - startedAt);
  }
  const median = reads.sort((a, b) => a - b)[Math.floor(reads.length / 2)] ?? 0;
  steps.push({ table: "steps", step: "the plan is read, median", seconds: median / 1000 });
  await measure("all that is left is tried again, the call", () => desk.change("cards.retryRemoval", { cardId }));

  for (const { lock } of away) lock.faults = { ...lock.faults, offline: false };
  await measure("the locks are back, and the plan is empty", () =>
    until(async () => {
      plan = await desk.plan(cardId);
      return plan.left.length === 0;
    }),
  );
  // Locks that confirm at the same moment leave it to the next sweep to mark the card.
  await until(async () => (await desk.plan(cardId)).state === "revoked");
  assert.equal(plan.confirmed.length, sizes.locks);
  assert.equal(withCard(doors), 0, "no lock has the card any more");
  return steps;
}

async function until(isMet: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + LIMIT_MS; !(await isMet()); await delay(100))
    assert.ok(Date.now() < end, "the condition was not met in time");
}
