import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "./generated/client.ts";
import { ANSWER_MS, impatientClient } from "./impatient-client.ts";

/** PostgreSQL through one pool, shared by Prisma and by the hot reads that are plain SQL. */
export interface Database {
  prisma: PrismaClient;
  pool: pg.Pool;
  close(): Promise<void>;
}

const TIMESTAMPTZ = 1184;
const BIGINT = 20;
/** A desk that waits for longer than this is better told so. A hundred that want one room at once wait for a few seconds. */
const CONNECT_TIMEOUT_MS = 20_000;
/** A connection whose other end is gone without a word is noticed by asking, ten times in as many seconds. */
const QUIET_MS = 10_000;

/** How long a write may wait for a connection, and then run, before it is given up. */
const TRANSACTION_LIMITS = { maxWait: CONNECT_TIMEOUT_MS, timeout: 30_000 } as const;

/** `answerMs`: how long a statement may take; commands of the operator, which look at everything, take their time. */
export function connectDatabase(
  url: string,
  poolSize: number,
  onError: (error: Error) => void,
  answerMs: number | null = ANSWER_MS,
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: QUIET_MS,
    application_name: "innkey",
    ...(answerMs !== null && { Client: impatientClient(answerMs) }),
  });
  // The pool listens to idle connections only; one that dies in the middle of a transaction would end the process.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", () => {}); // said already by the connection itself; without a listener it would throw
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: TRANSACTION_LIMITS });
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

/** Result types for plain SQL: instants as ISO text and big integers as text, which is what travels to the console. */
export const PLAIN_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary") => {
    if (oid === TIMESTAMPTZ) return (value: string) => new Date(value).toISOString();
    if (oid === BIGINT) return (value: string) => value;
    return pg.types.getTypeParser(oid, format as "text");
  }) as typeof pg.types.getTypeParser,
};
