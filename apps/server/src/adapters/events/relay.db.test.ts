import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { RedisServer } from "../../../test/processes/foreign-servers.ts";
import { connectRelay } from "./connect-relay.ts";
import type { Relay } from "./relay.ts";

const WAIT = { timeout: 15_000, interval: 20 };
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let redis: RedisServer;
let opened: Hearer[] = [];

interface Hearer {
  relay: Relay;
  heard: unknown[];
  gaps: number;
}

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
beforeEach(async () => {
  redis = await RedisServer.start();
});
afterEach(async () => {
  for (const { relay } of opened) await relay.close();
  opened = [];
  redis.thaw();
  await redis.kill();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function hearer(): Promise<Hearer> {
  const relay = await connectRelay(database.url, { warn() {} }, redis.url);
  const one: Hearer = { relay, heard: [], gaps: 0 };
  relay.subscribe({
    onMessage: (message) => one.heard.push(message),
    onGap: () => {
      one.gaps += 1;
    },
  });
  opened.push(one);
  return one;
}

const say = (n: number) => client.query("SELECT pg_notify('innkey', $1)", [JSON.stringify({ n })]);
const listeners = async (): Promise<number> => {
  const { rows } = await client.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'innkey relay' AND datname = current_database()",
  );
  return rows[0].count;
};
const numbers = ({ heard: received }: Hearer): number[] => received.map((message) => (message as { n: number }).n);
const via = (): string[] => opened.map(({ relay }) => relay.state().via);

async function threeOnRedis(): Promise<[Hearer, Hearer, Hearer]> {
  const three: [Hearer, Hearer, Hearer] = [await hearer(), await hearer(), await hearer()];
  await vi.waitFor(async () => {
    expect(via()).toEqual(["redis", "redis", "redis"]);
    expect(await listeners()).toBe(1);
  }, WAIT);
  for (const one of three) {
    one.gaps = 0;
    one.heard.splice(0);
  }
  return three;
}

describe("the relay on Redis", () => {
  it("has one process listen to PostgreSQL and delivers every message to all of them in order", async () => {
    const three = await threeOnRedis();
    for (let n = 1; n <= 200; n += 1) await say(n);
    const all = Array.from({ length: 200 }, (_, at) => at + 1);
    for (const one of three) {
      await vi.waitFor(() => expect(one.heard).toHaveLength(200), WAIT);
      expect(numbers(one)).toEqual(all);
      expect(one.gaps).toBe(0);
    }
  });

  it("moves to another process when the listener's connection dies, and reports a possible gap", async () => {
    const three = await threeOnRedis();
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'innkey relay' AND datname = current_database()",
    );
    await say(1);
    await vi.waitFor(async () => {
      for (const one of three) expect(one.gaps).toBeGreaterThan(0);
      expect(via()).toEqual(["redis", "redis", "redis"]);
      expect(await listeners()).toBe(1);
    }, WAIT);
    for (const one of three) one.heard.splice(0);
    await say(2);
    for (const one of three) await vi.waitFor(() => expect(numbers(one)).toEqual([2]), WAIT);
  });

  it("moves to another process when the listening one stops", async () => {
    const three = await threeOnRedis();
    const [carrier] = await client
      .query(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      )
      .then(({ rows }) => rows);
    expect(carrier).toBeDefined();
    await three[0].relay.close();
    opened = opened.slice(1);
    await vi.waitFor(async () => {
      expect(via()).toEqual(["redis", "redis"]);
      expect(await listeners()).toBe(1);
    }, WAIT);
    await say(1);
    for (const one of three.slice(1)) await vi.waitFor(() => expect(numbers(one)).toContain(1), WAIT);
  });

  it.each(["killed", "frozen"])(
    "delivers straight from PostgreSQL while Redis is %s, and returns to Redis afterwards",
    async (how) => {
      const three = await threeOnRedis();
      if (how === "killed") await redis.kill();
      else redis.freeze();
      await vi.waitFor(() => {
        expect(opened.map(({ relay }) => relay.state())).toEqual(
          three.map(() => ({ via: "postgresql", listening: true })),
        );
      }, WAIT);
      // The former carrier listened all the time and missed nothing.
      expect(three.filter(({ gaps }) => gaps > 0)).toHaveLength(2);
      await say(1);
      for (const one of three) await vi.waitFor(() => expect(numbers(one)).toEqual([1]), WAIT);

      for (const one of three) one.gaps = 0;
      if (how === "killed") await redis.start();
      else redis.thaw();
      await vi.waitFor(async () => {
        expect(via()).toEqual(["redis", "redis", "redis"]);
        expect(await listeners()).toBe(1);
      }, WAIT);
      expect(three.filter(({ gaps }) => gaps > 0).length).toBeGreaterThanOrEqual(2);
      for (const one of three) one.heard.splice(0);
      await say(2);
      for (const one of three) await vi.waitFor(() => expect(numbers(one)).toEqual([2]), WAIT);
    },
  );

  it("starts without Redis and delivers from PostgreSQL", async () => {
    await redis.kill();
    const one = await hearer();
    await say(1);
    await vi.waitFor(() => expect(numbers(one)).toEqual([1]), WAIT);
    expect(one.relay.state()).toEqual({ via: "postgresql", listening: true });
  });

  it("never loses a message without reporting a gap", async () => {
    const three = await threeOnRedis();
    let n = 0;
    let speaking = true;
    const missing: string[] = [];
    const speaker = (async () => {
      while (speaking) {
        n += 1;
        await say(n);
      }
    })();
    const lastOf = ({ heard: received }: Hearer): number => (received.at(-1) as { n: number } | undefined)?.n ?? 0;
    for (const one of three) {
      let expected = 1;
      one.relay.subscribe({
        onMessage(message) {
          const { n: receivedNumber } = message as { n: number };
          if (receivedNumber > expected) missing.push(`${receivedNumber} came where ${expected} was due`);
          expected = Math.max(expected, receivedNumber + 1);
        },
        // A subscriber reloads after a gap, so any number that follows is correct.
        onGap() {
          expected = n + 1;
        },
      });
    }
    for (let round = 0; round < 2; round += 1) {
      await redis.kill();
      await vi.waitFor(() => expect(via()).toEqual(["postgresql", "postgresql", "postgresql"]), WAIT);
      await redis.start();
      await vi.waitFor(() => expect(via()).toEqual(["redis", "redis", "redis"]), WAIT);
    }
    speaking = false;
    await speaker;
    for (const one of three) await vi.waitFor(() => expect(lastOf(one)).toBe(n), WAIT);
    expect(missing).toEqual([]);
  });
});
