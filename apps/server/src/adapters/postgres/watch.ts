import pg from "pg";

/** Queries the database outside the pool, so that it neither waits for busy connections nor occupies one. */
export interface Watch {
  /**
   * Runs on a separate connection, so that a slow query of `rows` does not make the database seem unreachable. @throws
   * Error
   */
  alive(): Promise<void>;
  /** @throws Error after two seconds without an answer */
  rows<T>(text: string, values?: readonly unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

const ANSWER_MS = 2_000;
const MAX_CONCURRENT_QUERIES = 2;
const IDLE_MS = 30_000;

export function openWatch(url: string): Watch {
  const alivePool = openPool(url, 1);
  const queryPool = openPool(url, MAX_CONCURRENT_QUERIES);
  return {
    async alive() {
      await alivePool.query("SELECT 1");
    },
    rows: async <T>(text: string, values: readonly unknown[] = []) =>
      (await queryPool.query(text, [...values])).rows as T[],
    async close() {
      await Promise.all([alivePool.end(), queryPool.end()]);
    },
  };
}

function openPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: "innkey watch",
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    statement_timeout: ANSWER_MS,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
  });
  // The query reports the error; without listeners a lost connection would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", () => {});
  return pool;
}
