import { type ConnectionOptions, createPostgresBackend, Queue, runMigrations, Worker } from "bullmq";
import { Redis } from "ioredis";
import pg from "pg";
import type { Logger } from "pino";

/** What is used of BullMQ's classes, whatever they stand on. */
export type BullQueue = Pick<Queue, "add" | "upsertJobScheduler" | "close"> & Listening;
export type BullWorker = Pick<Worker, "run" | "close"> & Listening;

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
  /** makes the tables, if it has any */
  prepare(): Promise<void>;
  queue(name: string): BullQueue;
  worker(name: string, handle: (payload: unknown) => Promise<void>, options: WorkerOptions): BullWorker;
  close(): Promise<void>;
}

const PREFIX = "innkey";
/** the schema BullMQ expects on a pool that it did not make */
const SCHEMA = "bullmq";
/** beside one listening connection per kind of job */
const QUERY_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 10_000;

export function postgresStore(url: string, kinds: number, log: Logger): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: kinds + QUERY_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "innkey jobs",
    // BullMQ's own SQL names its functions without their schema
    options: `-c search_path=${SCHEMA}`,
  });
  // The pool listens to idle connections only; one that dies while it is in use would end the process.
  pool.on("connect", (client) =>
    client.on("error", (error) => log.warn({ err: error }, "a connection of the queue was lost")),
  );
  pool.on("error", () => {}); // said already by the connection itself; without a listener it would throw
  pool.setMaxListeners(0); // every queue and worker on it listens for errors, so there are as many as kinds of jobs
  return {
    async prepare() {
      const client = await pool.connect();
      try {
        await runMigrations(client, SCHEMA);
      } finally {
        client.release();
      }
    },
    queue: (name) => new Queue(name, { connection: pool }, createPostgresBackend),
    worker: (name, handle, options) =>
      new Worker(
        name,
        (job) => handle(job.data),
        { connection: pool, autorun: false, ...options },
        createPostgresBackend,
      ),
    close: () => pool.end(),
  };
}

export function redisStore(url: string, log: Logger): Store {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  // The queues on it report the same error; without a listener it would end the process.
  redis.on("error", (error) => log.debug({ err: error }, "Redis does not answer"));
  const connection = redis as unknown as ConnectionOptions;
  return {
    prepare: async () => undefined,
    queue: (name) => new Queue(name, { connection, prefix: PREFIX }),
    worker: (name, handle, options) =>
      new Worker(name, (job) => handle(job.data), { connection, prefix: PREFIX, autorun: false, ...options }),
    async close() {
      redis.disconnect();
    },
  };
}
