import {
  assertSchemaCompatibility,
  type ConnectionOptions,
  LATEST_SCHEMA_VERSION,
  Queue,
  runMigrations,
  Worker,
} from "bullmq";
import pg from "pg";
import type { Logger } from "pino";
import { ANSWER_MS, impatientClient } from "../postgres/client.ts";
import { connectPatiently, connectRedis, requireReady } from "../redis/redis.ts";
import { shareConnections } from "./job-connections.ts";

/** the schema that BullMQ expects on a pool it did not create */
export const QUEUE_SCHEMA = "bullmq";

/**
 * Creates or updates the tables of the job queue. A role without that right only checks that the owner has done so.
 * @throws Error that says what to do if the tables are missing or outdated
 */
export async function prepareQueueTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    "SELECT has_database_privilege(current_database(), 'CREATE') AS may",
  );
  if (rows[0]?.may) {
    await runMigrations(client, QUEUE_SCHEMA);
    return;
  }
  const version = await assertSchemaCompatibility(client, QUEUE_SCHEMA).catch(() => 0);
  if (version < LATEST_SCHEMA_VERSION) {
    throw new Error("The tables of the job queue are missing or old. Run the migrate command first.");
  }
}

/** The part of BullMQ's classes that we use, for both stores. */
export type BullQueue = Pick<
  Queue,
  "add" | "upsertJobScheduler" | "getJobCounts" | "getWaiting" | "getFailed" | "waitUntilReady" | "close"
> &
  Listening;
export type BullWorker = Pick<Worker, "run" | "close"> & Listening;

/** One attempt at a job. */
export interface JobRun {
  id: string | undefined;
  /** 1 for the first attempt */
  attempt: number;
  /** W3C traceparent of the work that added the job */
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

interface WorkerOptions {
  concurrency: number;
  /** pause after the store did not answer, in milliseconds */
  runRetryDelay: number;
}

/** Storage of the jobs. */
export interface Store {
  /** its connections report by themselves when the store becomes unreachable and when it is back */
  readonly reportsOutages: boolean;
  /** creates the tables, if it has any. @throws Error while the store can't be reached */
  prepare(): Promise<void>;
  /** checks the connection without waiting for it. @throws Error while the store is known to be unreachable */
  requireReady(): Promise<void>;
  /** `listener` is called when the store is reachable again; it may have lost its data */
  onBack(listener: () => void): void;
  queue(name: string): BullQueue;
  worker(name: string, handle: (payload: unknown, run: JobRun) => Promise<void>, options: WorkerOptions): BullWorker;
  /** throws if the store does not answer */
  ask(): Promise<unknown>;
  close(): Promise<void>;
}

const PREFIX = "innkey";
/** two for statements and one that listens */
const CONNECTIONS = 3;
const CONNECT_TIMEOUT_MS = 10_000;

interface TriedJob {
  id?: string;
  /** number of attempts that have ended */
  attemptsMade: number;
  opts?: { telemetry?: { metadata?: string } };
}

const runOf = ({ id, attemptsMade, opts }: TriedJob): JobRun => ({
  id,
  attempt: attemptsMade + 1,
  cause: opts?.telemetry?.metadata,
});

/**
 * `answerMs`: time limit of a statement. No BullMQ statement takes long: workers wait for jobs by LISTEN, whose
 * connection is idle between statements, and only a few hundred finished jobs are stored.
 */
export function postgresStore(url: string, log: Logger, answerMs = ANSWER_MS): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "innkey jobs",
    Client: impatientClient(answerMs),
    // BullMQ's own SQL calls its functions without their schema
    options: `-c search_path=${QUEUE_SCHEMA}`,
  });
  // The pool only handles errors of idle connections; one that fails while in use would end the process.
  pool.on("connect", (client) =>
    client.on("error", (error) => log.warn({ err: error }, "a connection of the queue was lost")),
  );
  pool.on("error", () => {}); // the connection itself has logged it; without a listener it would throw
  pool.setMaxListeners(0); // every queue and worker adds an error listener, so there are as many as kinds of jobs
  const connections = shareConnections(pool);
  return {
    reportsOutages: false,
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
    queue: (name) => new Queue(name, { connection: pool }, connections.connect),
    worker: (name, handle, options) =>
      new Worker(
        name,
        (job) => handle(job.data, runOf(job)),
        { connection: pool, autorun: false, ...options },
        connections.connect,
      ),
    ask: () => pool.query("SELECT 1"),
    async close() {
      connections.close();
      await pool.end();
    },
  };
}

export function redisStore(url: string, log: Logger): Store {
  // Workers wait for their store; callers that add jobs do not.
  const waiting = connectPatiently(url, log);
  const asking = connectRedis(url, { warn: () => undefined });
  return {
    reportsOutages: true,
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
