import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { PLAIN_TYPES } from "./client.ts";

/** A statement with all its parameters, from `$1` on. */
interface Statement {
  text: string;
  values: unknown[];
}

const BATCH_ROWS = 1000;

/** Runs one read-only transaction on a separate connection, which is closed if the reader stops early. */
async function* readInTransaction<T>(
  pool: pg.Pool,
  read: (client: pg.PoolClient) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const client = await pool.connect();
  let isComplete = false;
  try {
    // All rows will be read, so a plan that is optimised for the first rows is of no use.
    await client.query("BEGIN READ ONLY; SET LOCAL cursor_tuple_fraction = 1");
    yield* read(client);
    await client.query("COMMIT");
    isComplete = true;
  } finally {
    client.release(!isComplete);
  }
}

/** Reads rows through a server-side cursor: one snapshot, constant memory in this process. */
export function readBatches<T>(
  pool: pg.Pool,
  { text, values }: Statement,
  { skip, take }: { skip: number; take: number } = { skip: 0, take: Number.POSITIVE_INFINITY },
): AsyncGenerator<T[]> {
  return readInTransaction(pool, async function* (client) {
    await client.query(`DECLARE listed NO SCROLL CURSOR FOR ${text}`, values);
    if (skip > 0) await client.query(`MOVE FORWARD ${Math.trunc(skip)} IN listed`);
    for (let remaining = take; remaining > 0; ) {
      const fetch = `FETCH FORWARD ${Math.trunc(Math.min(BATCH_ROWS, remaining))} FROM listed`;
      const { rows } = await client.query<T & pg.QueryResultRow>({ text: fetch, types: PLAIN_TYPES });
      if (rows.length === 0) return;
      yield rows;
      remaining -= rows.length;
    }
  });
}

/**
 * Runs COPY … TO STDOUT as CSV. COPY takes no parameters, so their values are written into the statement as literals.
 */
export function copyRows(pool: pg.Pool, { text, values }: Statement): AsyncGenerator<Buffer> {
  return readInTransaction(pool, async function* (client) {
    const statement = text.replace(/\$(\d+)/g, (_all, index: string) => literal(client, values[Number(index) - 1]));
    yield* client.query(copyTo(`COPY (${statement}) TO STDOUT WITH (FORMAT csv)`)) as AsyncIterable<Buffer>;
  });
}

/** @throws Error for a value of a type that is not supported here */
function literal(client: pg.PoolClient, value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return `(${value})`;
  if (typeof value === "string") return client.escapeLiteral(value);
  if (value instanceof Date) return client.escapeLiteral(value.toISOString());
  if (Array.isArray(value) && value.every(Number.isSafeInteger)) return client.escapeLiteral(`{${value.join(",")}}`);
  throw new Error("this parameter has no literal");
}
