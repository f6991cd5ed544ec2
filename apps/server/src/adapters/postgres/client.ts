import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "./generated/client.ts";
import { ANSWER_MS, impatientClient } from "./impatient-client.ts";

/** PostgreSQL through one pool, shared by Prisma and by the frequent reads in plain SQL. */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  close(): Promise<void>;
}

const TIMESTAMPTZ = 1184;
const BIGINT = 20;
/**
 * After a longer wait, an error is better for the desk. A hundred requests for the same room wait for a few seconds.
 */
const CONNECT_TIMEOUT_MS = 20_000;
/** TCP keepalive detects a connection whose other end vanished: probes start after this time. */
const QUIET_MS = 10_000;

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
    keepAliveInitialDelayMillis: QUIET_MS,
    application_name: "innkey",
    ...(answerMs !== null && { Client: impatientClient(answerMs) }),
  });
  // The pool only handles errors of idle connections; one that fails during a transaction would end the process.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => {}); // the connection itself has logged it; without a listener it would throw
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
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
