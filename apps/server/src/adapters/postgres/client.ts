import { setFlagsFromString } from "node:v8";
import pg from "pg";
import type { Tracing } from "../telemetry/otlp-tracing.ts";
import { PrismaClient } from "./generated/client.ts";
import { ConnectionAdapter } from "./transaction-connection.ts";

// Prisma's query compiler is WebAssembly. It compiles each query once, so V8 need not optimise its code, for which it would
// use 40 MB that glibc then keeps. Flags can be set until the code is compiled, at the first query.
setFlagsFromString("--liftoff-only");

/** Time limit of one statement of a request, in milliseconds. */
export const ANSWER_MS = 15_000;

/** A query function that takes a callback as its last argument, or returns a promise. */
type Query = (...args: unknown[]) => unknown;

/**
 * Checks whether a statement is exempt: cursors and copies, whose rows arrive as fast as they are read, and statements
 * with their own limit.
 */
const hasOwnTimeLimit = (statement: unknown): boolean =>
  typeof statement === "object" &&
  statement !== null &&
  (("submit" in statement && typeof statement.submit === "function") || "query_timeout" in statement);

/**
 * Closes a connection if a statement is not answered within `answerMs`, because the database hangs or the network drops
 * packets. pg's own `query_timeout` leaves the connection open with the statement still running, and Prisma returns it
 * to the pool, possibly in the middle of a transaction that the next user would then write into.
 */
export function impatientClient(answerMs: number): typeof pg.Client {
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: one implementation of pg's eight signatures
    override query(...args: any[]): any {
      const query = super.query.bind(this) as Query;
      if (hasOwnTimeLimit(args[0])) return query(...args);
      const timer = setTimeout(() => this.#giveUp(), answerMs);
      const callback: unknown = args.at(-1);
      if (typeof callback === "function") {
        args[args.length - 1] = (...answer: unknown[]) => {
          clearTimeout(timer);
          callback(...answer);
        };
        return query(...args);
      }
      return (query(...args) as Promise<unknown>).finally(() => clearTimeout(timer));
    }

    #giveUp(): void {
      const { stream } = (
        this as unknown as { connection: { stream: NodeJS.WritableStream & { destroy(e: Error): void } } }
      ).connection;
      stream.destroy(new Error(`Connection terminated: the database did not answer for ${answerMs / 1000} s`));
    }
  } as typeof pg.Client;
}

/**
 * Creates a client for which a lost connection only makes the running query fail. Without a listener the error would
 * end the process.
 */
export function quietClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  return client;
}

/** PostgreSQL through one pool, shared by Prisma and by the frequent reads in plain SQL. */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  close(): Promise<void>;
}

const TIMESTAMPTZ = 1184;
const BIGINT = 20;
/**
 * After a longer wait, staff are better served by an error. A hundred requests for the same room wait for a few seconds.
 */
const CONNECT_TIMEOUT_MS = 20_000;
/** TCP keepalive detects a connection whose other end vanished: probes start after this time. */
const KEEPALIVE_DELAY_MS = 10_000;

/** Time limit of a write once it has its connection. */
const TRANSACTION_MS = 30_000;

/**
 * `answerMs`: time limit of a statement; the operator's commands, which read everything, need a longer one.
 * `connectMs`: time limit of waiting for a connection.
 */
export function connectDatabase(
  url: string,
  poolSize: number,
  onError: (error: Error) => void,
  answerMs: number | null = ANSWER_MS,
  connectMs = CONNECT_TIMEOUT_MS,
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    application_name: "innkey",
    ...(answerMs !== null && { Client: impatientClient(answerMs) }),
  });
  // The pool only handles errors of idle connections; one that fails during a transaction would end the process.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => {}); // the connection itself has logged it; without a listener it would throw
  const prisma = new PrismaClient({
    adapter: new ConnectionAdapter(pool),
    transactionOptions: { maxWait: connectMs, timeout: TRANSACTION_MS },
  });
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

/**
 * Result types for plain SQL: instants as ISO text and big integers as text, the same format in which the console gets
 * them.
 */
export const PLAIN_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary") => {
    if (oid === TIMESTAMPTZ) return (value: string) => new Date(value).toISOString();
    if (oid === BIGINT) return (value: string) => value;
    return pg.types.getTypeParser(oid, format as "text");
  }) as typeof pg.types.getTypeParser,
};

const VERB = /^\s*(?:--[^\n]*\n\s*)*([a-z]+)/i;

/**
 * Makes every statement of the pool a span with its name or its first word. The text is left out, since it can quote
 * people.
 */
export function tracePool(pool: pg.Pool, tracing: Tracing): void {
  pool.on("connect", (client) => traceClient(client, tracing));
  const connect = pool.connect.bind(pool) as (callback?: (...answer: unknown[]) => void) => unknown;
  // A waiting caller is called back by the code that released the connection; the binding keeps the caller's own span.
  pool.connect = ((callback?: (...answer: unknown[]) => void) =>
    connect(callback && tracing.bind(callback))) as typeof pool.connect;
}

function traceClient(client: pg.ClientBase, tracing: Tracing): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const name = nameOf(args[0]);
    if (name === null) return query(...args);
    const span = tracing.open("client", name, { "db.system.name": "postgresql", "db.operation.name": name });
    const last = args.length - 1;
    const callback = args[last];
    if (typeof callback === "function") {
      args[last] = (error: unknown, ...answer: unknown[]) => {
        span.end({}, error != null);
        callback(error, ...answer);
      };
      return query(...args);
    }
    return (query(...args) as Promise<unknown>).then(
      (result) => {
        span.end({}, false);
        return result;
      },
      (error: unknown) => {
        span.end({}, true);
        throw error;
      },
    );
  }) as typeof client.query;
}

/** Returns null for a cursor or a copy, which do not return results by a promise. */
function nameOf(query: unknown): string | null {
  if (typeof query === "string") return verbOf(query);
  const { name, text, submit } = query as { name?: string; text?: string; submit?: unknown };
  if (typeof submit === "function" || typeof text !== "string") return null;
  return name ?? verbOf(text);
}

const verbOf = (text: string): string => VERB.exec(text)?.[1]?.toUpperCase() ?? "SQL";
