import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { RedisServer } from "../../../test/processes/foreign-servers.ts";
import { createJobQueue, type Job, type JobQueue } from "./queue.ts";

const log = pino({ level: "silent" });
const greet: Job<{ name: string }> = { name: "test.greet", payload: z.object({ name: z.string() }) };
const tick: Job<Record<string, never>> = { name: "test.tick", payload: z.strictObject({}) };
const jobs = [greet, tick];
const REDIS_PORT = 20_379;
const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
const WAIT = { timeout: 15_000, interval: 20 };

describe("the job registry", () => {
  const queue = (): JobQueue => createJobQueue({ databaseUrl: "postgresql://nowhere", redisUrl: undefined, jobs, log });

  it("refuses to start while a job has no handler", () => {
    const incomplete = queue();
    incomplete.define(greet, async () => undefined);
    expect(() => incomplete.start()).toThrow("Jobs without a handler: test.tick");
  });

  it("refuses a second handler and an unknown job", async () => {
    const twice = queue();
    twice.define(greet, async () => undefined);
    expect(() => twice.define(greet, async () => undefined)).toThrow("two handlers");
    const unknown: Job<{ name: string }> = { ...greet, name: "test.unknown" };
    expect(() => twice.define(unknown, async () => undefined)).toThrow("not in the registry");
    await expect(twice.add(unknown, { name: "x" })).rejects.toThrow("not in the registry");
  });
});

describe.each([
  { store: "PostgreSQL", redis: false },
  { store: hasRedis ? "Redis" : "Redis (skipped: redis-server is not installed)", redis: true },
])("jobs on $store", ({ redis }) => {
  let database: { url: string; drop(): Promise<void> };
  let server: ChildProcess | undefined;
  const open: JobQueue[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    if (redis && hasRedis) {
      server = spawn("redis-server", ["--port", String(REDIS_PORT), "--save", "", "--appendonly", "no"], {
        stdio: "ignore",
      });
      await delay(300);
    }
  });
  afterEach(async () => {
    for (const queue of open.splice(0)) await queue.close();
  });
  afterAll(async () => {
    server?.kill();
    await database.drop();
  });

  function queue(): JobQueue {
    const redisUrl = redis ? `redis://127.0.0.1:${REDIS_PORT}` : undefined;
    const opened = createJobQueue({ databaseUrl: database.url, redisUrl, jobs, log });
    open.push(opened);
    return opened;
  }

  function started(
    handle: (payload: { name: string }) => Promise<void>,
    ticked = async (): Promise<void> => undefined,
  ): JobQueue {
    const opened = queue();
    opened.define(greet, handle, { backoffMs: 20 });
    opened.define(tick, ticked);
    return opened;
  }

  it.skipIf(redis && !hasRedis)("run once each, and again after a failure", async () => {
    const greeted: string[] = [];
    let failures = 0;
    const target = started(async ({ name }) => {
      if (name === "stubborn" && failures++ < 2) throw new Error("not yet");
      greeted.push(name);
    });
    target.start();
    await target.add(greet, { name: "ada" });
    await target.add(greet, { name: "stubborn" });
    await vi.waitFor(() => expect(greeted.toSorted()).toEqual(["ada", "stubborn"]), WAIT);
    expect(failures).toBe(3);
  });

  it.skipIf(redis && !hasRedis)("log what their handler writes with their name, id and attempt", async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const redisUrl = redis ? `redis://127.0.0.1:${REDIS_PORT}` : undefined;
    const target = createJobQueue({ databaseUrl: database.url, redisUrl, jobs, log: logger });
    open.push(target);
    target.define(tick, async () => undefined);
    target.define(
      greet,
      async ({ name }, own) => {
        own.info({ name }, "greeting");
        if (lines.filter(({ msg }) => msg === "greeting").length === 1) throw new Error("not yet");
      },
      { backoffMs: 20 },
    );
    target.start();
    await target.add(greet, { name: "ada" }, { jobId: "job-of-ada" });
    const greetings = () => lines.filter(({ msg }) => msg === "greeting");
    await vi.waitFor(() => expect(greetings()).toHaveLength(2), WAIT);
    const line = { job: "test.greet", jobId: "job-of-ada", name: "ada" };
    expect(greetings()).toMatchObject([
      { ...line, attempt: 1 },
      { ...line, attempt: 2 },
    ]);
  });

  it.skipIf(redis && !hasRedis)("are dropped when the same job is already waiting", async () => {
    const greeted: string[] = [];
    const producer = queue();
    const target = started(async ({ name }) => void greeted.push(name));
    target.start();
    await target.add(greet, { name: "warm-up" });
    await vi.waitFor(() => expect(greeted).toEqual(["warm-up"]), WAIT);
    for (const name of ["first", "second"]) await producer.add(greet, { name }, { jobId: "one", delayMs: 150 });
    await vi.waitFor(() => expect(greeted).toEqual(["warm-up", "first"]), WAIT);
    await delay(300);
    expect(greeted).toEqual(["warm-up", "first"]);
  });

  it.skipIf(redis && !hasRedis)("are refused with a payload of the wrong shape", async () => {
    const target = queue();
    await expect(target.add(greet, { name: 7 } as never)).rejects.toThrow();
  });

  it.skipIf(redis && !hasRedis)("run again on a schedule", async () => {
    let ticks = 0;
    const target = started(
      async () => undefined,
      async () => {
        ticks += 1;
      },
    );
    target.every(tick, 1, {});
    target.start();
    await vi.waitFor(() => expect(ticks).toBeGreaterThanOrEqual(2), WAIT);
  });

  it.skipIf(redis && !hasRedis)("finish before the queue closes", async () => {
    const done: string[] = [];
    let hasStarted = false;
    const target = started(async ({ name }) => {
      hasStarted = true;
      await delay(300);
      done.push(name);
    });
    target.start();
    await target.add(greet, { name: "slow" });
    await vi.waitFor(() => expect(hasStarted).toBe(true), WAIT);
    await target.close();
    expect(done).toEqual(["slow"]);
  });
});

describe("a queue that loses Redis", () => {
  it("reports it, refuses new jobs at once, and resumes its schedules when Redis comes back empty", async () => {
    const redis = await RedisServer.start();
    onTestFinished(() => redis.kill());
    let ticks = 0;
    const target = createJobQueue({ databaseUrl: "postgresql://nowhere", redisUrl: redis.url, jobs, log });
    const greeted: string[] = [];
    target.define(greet, async ({ name }) => void greeted.push(name));
    target.define(tick, async () => {
      ticks += 1;
    });
    target.every(tick, 1, {});
    // A real server has more to do before it starts its jobs, so Redis is connected long before.
    await vi.waitFor(async () => expect(await target.reachable()).toBe(true), WAIT);
    target.start();
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(0), WAIT);

    await redis.kill();
    await vi.waitFor(async () => expect(await target.reachable()).toBe(false), WAIT);
    await expect(target.add(greet, { name: "lost" })).rejects.toThrow();

    await redis.start();
    await vi.waitFor(async () => expect(await target.reachable()).toBe(true), WAIT);
    const before = ticks;
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(before + 1), WAIT);
    await target.add(greet, { name: "back" });
    await vi.waitFor(() => expect(greeted).toEqual(["back"]), WAIT);

    redis.freeze();
    expect(await target.reachable()).toBe(false);
    redis.thaw();
    await target.close();
  }, 60_000);

  it("lets a process that runs no jobs add them, once every job has a handler", async () => {
    const redis = await RedisServer.start();
    onTestFinished(() => redis.kill());
    const options = { databaseUrl: "postgresql://nowhere", redisUrl: redis.url, jobs, log };
    const [web, worker] = [createJobQueue(options), createJobQueue(options)];
    const greeted: string[] = [];
    web.define(greet, async () => void greeted.push("web"));
    expect(() => web.prove()).toThrow("Jobs without a handler: test.tick");
    web.define(tick, async () => undefined);
    web.prove();
    worker.define(greet, async ({ name }) => void greeted.push(name));
    worker.define(tick, async () => undefined);
    await web.add(greet, { name: "ada" });
    worker.start();
    await vi.waitFor(() => expect(greeted).toEqual(["ada"]), WAIT);
    await web.close();
    await worker.close();
  });
});

describe.skipIf(!hasRedis)("an interruption of Redis", () => {
  it("is logged once, and so is its end, however many kinds of jobs are waiting", async () => {
    const redis = await RedisServer.start();
    const lines: string[] = [];
    const logger = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const many = Array.from({ length: 20 }, (_, kind): Job<Record<string, never>> => ({ ...tick, name: `t${kind}` }));
    const queue = createJobQueue({ databaseUrl: "", redisUrl: redis.url, jobs: many, log: logger });
    onTestFinished(async () => {
      await queue.close();
      await redis.kill();
    });
    for (const job of many) {
      queue.define(job, async () => undefined);
      queue.every(job, 60, {});
    }
    queue.start();
    await expect.poll(async () => (await queue.readCounts()).length, WAIT).toBe(many.length);
    await redis.kill();
    await delay(1_500);
    await redis.start();
    await expect.poll(() => lines.filter((line) => line.includes("is back")).length, WAIT).toBe(1);
    await expect.poll(() => queue.reachable(), WAIT).toBe(true);
    await delay(2_500);
    const messages = lines.map((line) => JSON.parse(line).msg);
    // When killed, Redis loses its memory: all jobs in progress at that moment are reported in one line.
    const forgotten = "the queue's store has forgotten jobs that were in work";
    expect(messages.filter((message) => message !== forgotten)).toEqual([
      "Redis does not answer; trying again",
      "Redis is back",
    ]);
    expect(messages.filter((message) => message === forgotten).length).toBeLessThanOrEqual(1);
  }, 40_000);
});
