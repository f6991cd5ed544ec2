import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { type FaultyLine, faultyLine, through } from "../../../test/processes/faulty-line.ts";
import { postgresStore, type Store } from "./queue-store.ts";

const ANSWER_MS = 500;
const WAIT = { timeout: 15_000, interval: 20 };

let own: { url: string; drop(): Promise<void> };
let line: FaultyLine;
let store: Store;
let lost: string[];
beforeEach(async () => {
  own = await createTestDatabase();
  line = await faultyLine(Number(new URL(own.url).port));
  lost = [];
  const log = pino({ level: "warn" }, { write: (text: string) => void lost.push(text) });
  store = postgresStore(through(own.url, line.port), log, ANSWER_MS);
  await store.prepare();
});
afterEach(async () => {
  await line.restore();
  await store.close();
  await line.close();
  await own.drop();
});

it("gives up on a statement that a hanging database does not answer, and recovers afterwards", async () => {
  await store.ask();
  line.hang();
  await expect(store.ask()).rejects.toThrow("did not answer");
  await line.restore();
  await vi.waitFor(() => store.ask(), WAIT);
});

it("lets a worker wait for its next job longer than a statement may take", async () => {
  const handled: unknown[] = [];
  const worker = store.worker("test", async (payload) => void handled.push(payload), {
    concurrency: 1,
    runRetryDelay: 50,
  });
  worker.on("error", (error) => void lost.push(error.message));
  const running = worker.run();
  const queue = store.queue("test");
  await queue.waitUntilReady();
  await queue.add("test", 1);
  await vi.waitFor(() => expect(handled).toEqual([1]), WAIT);
  await delay(3 * ANSWER_MS);
  await queue.add("test", 2);
  await vi.waitFor(() => expect(handled).toEqual([1, 2]), WAIT);
  expect(lost).toEqual([]);
  await worker.close();
  await running;
  await queue.close();
});

describe("several kinds of jobs", () => {
  const KINDS = ["one", "two", "three", "four", "five"];
  let handled: string[];
  let failures: string[];
  let stop: () => Promise<void>;
  let add: (kind: string, payload: number) => Promise<void>;
  let inspector: pg.Client;
  beforeEach(async () => {
    [handled, failures] = [[], []];
    inspector = new pg.Client({ connectionString: own.url });
    await inspector.connect();
    const queues = new Map(KINDS.map((kind) => [kind, store.queue(kind)]));
    const workers = KINDS.map((kind) => {
      const handle = async (payload: unknown): Promise<void> => void handled.push(`${kind} ${payload}`);
      const worker = store.worker(kind, handle, { concurrency: 1, runRetryDelay: 50 });
      worker.on("error", (error) => void failures.push(error.message));
      return { worker, running: worker.run() };
    });
    add = async (kind, payload) => void (await queues.get(kind)?.add(kind, payload, { jobId: `${kind}-${payload}` }));
    stop = async () => {
      await Promise.all([
        ...workers.map(({ worker }) => worker.close()),
        ...[...queues.values()].map((q) => q.close()),
      ]);
      await Promise.all(workers.map(({ running }) => running));
    };
  });
  afterEach(async () => {
    await stop();
    await inspector.end();
  });

  const countConnections = async (condition: string): Promise<number> => {
    const { rows } = await inspector.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`,
    );
    return rows[0]?.count ?? 0;
  };
  const addToEach = (payload: number): Promise<unknown> => Promise.all(KINDS.map((kind) => add(kind, payload)));
  const listens = "query LIKE '%LISTEN bullmq_jobs%'";

  it("share one listening connection, over which each worker learns of its jobs", async () => {
    await vi.waitFor(async () => expect(await countConnections(listens)).toBe(1), WAIT);
    for (const round of [1, 2]) await addToEach(round);
    await vi.waitFor(() => expect(handled).toHaveLength(2 * KINDS.length), WAIT);
    expect(new Set(handled).size).toBe(handled.length);
    expect(await countConnections(listens)).toBe(1);
    expect(await countConnections("true")).toBeLessThanOrEqual(3);
  });

  it("listen again after that connection was lost", async () => {
    await vi.waitFor(async () => expect(await countConnections(listens)).toBe(1), WAIT);
    await inspector.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${listens}`,
    );
    await vi.waitFor(() => expect(failures).not.toEqual([]), WAIT);
    await vi.waitFor(async () => expect(await countConnections(listens)).toBe(1), WAIT);
    await addToEach(1);
    await vi.waitFor(() => expect(handled.toSorted()).toEqual(KINDS.map((kind) => `${kind} 1`).toSorted()), WAIT);
  });
});
