import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { withAdvisoryLock } from "./advisory-lock.ts";

const LOCK = 4_711;
const log = { warn: vi.fn(), error: vi.fn() };
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("admits one process, and the next one as soon as the first has released it", async () => {
  const first = await withAdvisoryLock(database.url, LOCK, 0, log);
  expect(first).not.toBeNull();
  expect(await withAdvisoryLock(database.url, LOCK, 600, log)).toBeNull();
  const patient = withAdvisoryLock(database.url, LOCK, 20_000, log);
  await first?.release();
  const second = await patient;
  expect(second).not.toBeNull();
  await second?.release();
});

it("keeps the lock when its connection breaks", async () => {
  const lock = await withAdvisoryLock(database.url, LOCK, 0, log);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'innkey broker'");
  const holders = async (): Promise<number> => {
    const { rows } = await client.query(
      "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = $1",
      [LOCK],
    );
    return rows[0].count;
  };
  await vi.waitFor(async () => expect(await holders()).toBe(1), { timeout: 15_000, interval: 50 });
  expect(log.error).not.toHaveBeenCalled();
  await lock?.release();
  await client.end();
});
