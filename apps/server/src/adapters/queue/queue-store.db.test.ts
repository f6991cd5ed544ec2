import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
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
  store = postgresStore(through(own.url, line.port), 1, log, ANSWER_MS);
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
