import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { isTransient } from "./errors.ts";

const MAX_TRIES = 5;

/**
 * Runs a whole transaction again if it lost a race for locks, after a pause that varies so that two transactions don't
 * collide again. `run` gets the number of the attempt, from 1. @throws what the last attempt threw
 */
export async function retryLostRaces<T>(run: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(attempt);
    } catch (error) {
      if (attempt >= MAX_TRIES || !isTransient(error)) throw error;
      await delay(10 * attempt * (1 + Math.random()));
    }
  }
}

/**
 * Runs `work` in one transaction on a connection of its own, for plain SQL about more than one hotel; a write of one
 * hotel uses `scope.write`. Retries if it lost a race for locks. @throws database errors unchanged
 */
export function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return retryLostRaces(() => tryTransaction(pool, work));
}

async function tryTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let connectionError: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollbackError: Error) => {
      connectionError = rollbackError;
    });
    throw error;
  } finally {
    // With an error the connection is closed instead of going back to the pool in the middle of a transaction.
    client.release(connectionError);
  }
}
