import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { SOON } from "../../../test/harness/soon.ts";
import { RedisServer } from "../../../test/processes/foreign-servers.ts";
import { connectDatabase, type Database } from "../postgres/client.ts";
import { type RateLimiter, rateLimits } from "./rate-limits.ts";
import { connectRedis } from "./redis.ts";

const ALLOWED = { points: 3, duration: 60 };
const silent = { warn() {} };
let created: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let redis: RedisServer;

beforeAll(async () => {
  [created, redis] = await Promise.all([createTestDatabase(), RedisServer.start()]);
  database = connectDatabase(created.url, 4, () => {});
});
afterAll(async () => {
  await database.close();
  await redis.kill();
  await created.drop();
});

async function takes(limiter: RateLimiter, key: string, times: number): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (let n = 0; n < times; n += 1) answers.push((await limiter.take(key)) === null);
  return answers;
}

describe("rate limits", () => {
  it("in PostgreSQL are shared by processes and reset by kind and key", async () => {
    const [one, other] = [rateLimits(database.pool)("tries", ALLOWED), rateLimits(database.pool)("tries", ALLOWED)];
    expect(await takes(one, "ada", 2)).toEqual([true, true]);
    expect(await takes(other, "ada", 2)).toEqual([true, false]);
    expect(await other.take("ada")).toBeGreaterThan(50_000);
    expect(await takes(other, "bob", 1)).toEqual([true]);
    expect(await takes(rateLimits(database.pool)("logins", ALLOWED), "ada", 1)).toEqual([true]);
    await one.count("bob");
    expect(await other.read("bob")).toMatchObject({ count: 2 });
    await one.reset("ada");
    expect(await other.read("ada")).toEqual({ count: 0, resetInMs: 0 });
  });

  it("in Redis are shared by processes, and continue in PostgreSQL while Redis is down or hangs", async () => {
    const clients = [connectRedis(redis.url, silent), connectRedis(redis.url, silent)];
    await vi.waitFor(() => expect(clients.every(({ status }) => status === "ready")).toBe(true), SOON);
    const limiters = clients.map((client) => rateLimits(database.pool, client)("calls", ALLOWED));
    const [one, other] = limiters as [RateLimiter, RateLimiter];
    expect(await takes(one, "ada", 2)).toEqual([true, true]);
    expect(await takes(other, "ada", 2)).toEqual([true, false]);
    const { rows } = await database.pool.query("SELECT key FROM rate_limit WHERE key LIKE 'calls:%'");
    expect(rows).toEqual([]);

    redis.freeze();
    expect(await takes(one, "ada", 1)).toEqual([true]);
    redis.thaw();
    await redis.kill();
    await vi.waitFor(() => expect(clients.every(({ status }) => status !== "ready")).toBe(true), SOON);
    expect(await takes(other, "ada", 3)).toEqual([true, true, false]);
    expect(await one.read("ada")).toMatchObject({ count: 4 });
    for (const client of clients) client.disconnect();
  });
});
