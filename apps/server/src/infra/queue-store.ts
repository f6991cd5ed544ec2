import { type ConnectionOptions, createPostgresBackend, Queue, Worker } from "bullmq";
import pg from "pg";
import type { Logger } from "pino";
import { ANSWER_MS, impatientClient } from "./database/impatient-client.ts";
import { prepareQueueTables, QUEUE_SCHEMA } from "./queue-tables.ts";
import { connectPatiently, connectRedis, requireReady } from "./redis.ts";

/** What is used of BullMQ's classes, whatever they stand on. */
export type BullQueue = Pick<
  Queue,
  "add" | "upsertJobScheduler" | "getJobCounts" | "getWaiting" | "getFailed" | "waitUntilReady" | "close"
> &
  Listening;
export type BullWorker = Pick<Worker, "run" | "close"> & Listening;

/** One try of a job. */
export interface JobRun {
  id: string | undefined;
  /** 1 for the first */
  attempt: number;
  /** W3C traceparent of what put it into the queue */
  cause: string | undefined;
}

interface FailedJob {
  id?: string;
  attemptsMade: number;
}

interface Listening {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "failed", listener: (job: FailedJob | undefined, error: Error) => void): unknown;
}

export interface WorkerOptions {
  concurrency: number;
  /** pause after the store did not answer, in milliseconds */
  runRetryDelay: number;
}

/** Where jobs are kept. */
export interface Store {
  /** its connections say themselves when it goes away and comes back */
  readonly tellsOutages: boolean;
  /** makes the tables, if it has any. @throws Error while the store can't be reached */
  prepare(): Promise<void>;
  /** at once, before something is asked of a queue. @throws Error while the store is known to be away */
  requireReady(): Promise<void>;
  /** `listener` is called when a store is back that was away, and may have come back empty */
  onBack(listener: () => void): void;
  queue(name: string): BullQueue;
  worker(name: string, handle: (payload: unknown, run: JobRun) => Promise<void>, options: WorkerOptions): BullWorker;
  /** throws when it does not answer */
  ask(): Promise<unknown>;
  close(): Promise<void>;
}

const PREFIX = "innkey";
/** beside one listening connection per kind of job */
const QUERY_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 10_000;

interface TriedJob {
  id?: string;
  /** of which have ended */
  attemptsMade: number;
  opts?: { telemetry?: { metadata?: string } };
}

const runOf = ({ id, attemptsMade, opts }: TriedJob): JobRun => ({
  id,
  attempt: attemptsMade + 1,
  cause: opts?.telemetry?.metadata,
});

/**
 * `answerMs`: how long a statement may take. None of BullMQ's takes long by itself: jobs are waited for by LISTEN, whose
 * connection is silent between statements, and of what is done none or few hundred are kept.
 */
export function postgresStore(url: string, kinds: number, log: Logger, answerMs = ANSWER_MS): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: kinds + QUERY_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "innkey jobs",
    Client: impatientClient(answerMs),
    // BullMQ's own SQL names its functions without their schema
    options: `-c search_path=${QUEUE_SCHEMA}`,
  });
  // The pool listens to idle connections only; one that dies while it is in use would end the process.
  pool.on("connect", (client) =>
    client.on("error", (error) => log.warn({ err: error }, "a connection of the queue was lost")),
  );
  pool.on("error", () => {}); // said already by the connection itself; without a listener it would throw
  pool.setMaxListeners(0); // every queue and worker on it listens for errors, so there are as many as kinds of jobs
  return {
    tellsOutages: false,
    async prepare() {
      const client = await pool.connect();
      try {
        await prepareQueueTables(client);
      } finally {
        client.release();
      }
    },
    requireReady: async () => undefined,
    onBack: () => undefined,
    queue: (name) => new Queue(name, { connection: pool }, createPostgresBackend),
    worker: (name, handle, options) =>
      new Worker(
        name,
        (job) => handle(job.data, runOf(job)),
        { connection: pool, autorun: false, ...options },
        createPostgresBackend,
      ),
    ask: () => pool.query("SELECT 1"),
    close: () => pool.end(),
  };
}

export function redisStore(url: string, log: Logger): Store {
  // Work waits for its store; whoever hands work in does not.
  const waiting = connectPatiently(url, log);
  const asking = connectRedis(url, { warn: () => undefined });
  return {
    tellsOutages: true,
    prepare: () => requireReady(asking),
    requireReady: () => requireReady(asking),
    onBack(listener) {
      let away = false;
      asking.on("close", () => {
        away = true;
      });
      asking.on("ready", () => {
        if (away) listener();
        away = false;
      });
    },
    queue: (name) => new Queue(name, { connection: asking as unknown as ConnectionOptions, prefix: PREFIX }),
    worker: (name, handle, options) =>
      new Worker(name, (job) => handle(job.data, runOf(job)), {
        connection: waiting as unknown as ConnectionOptions,
        prefix: PREFIX,
        autorun: false,
        ...options,
      }),
    ask: () => asking.ping(),
    async close() {
      waiting.disconnect();
      asking.disconnect();
    },
  };
}
