import type pg from "pg";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { contextOf, type RowKey, rowKeyOf, type SealedColumn, type SealedRow, sealedRow } from "./sealed-columns.ts";

/** Result for one kind of sealed value. */
export interface Resealed {
  name: string;
  resealed: number;
  /** Values that none of the keys opens. */
  unreadable: number;
  /** Values not sealed with the newest key at the end, including the unreadable ones. */
  left: number;
}

const BATCH = 500;
/** Rows that another transaction has locked are left for the next pass. */
const PASSES = 20;
const PAUSE_MS = 250;

export async function countLeft(pool: pg.Pool, { table, read }: SealedColumn, keyId: Buffer): Promise<number> {
  const { rows } = await pool.query<{ left: number }>(
    `SELECT count(*)::int AS left FROM ${table} t WHERE substring(${read} FROM 1 FOR ${keyId.length}) <> $1`,
    [keyId],
  );
  return rows[0]?.left ?? 0;
}

/**
 * Seals a column's values with the newest key, in batches, beside a running server. It never waits for a locked row,
 * and a row that changes meanwhile is sealed by the server that changes it. It can be stopped and started again without
 * losing progress.
 */
export async function resealColumn(pool: pg.Pool, column: SealedColumn, box: SecretBox): Promise<Resealed> {
  const key = await rowKeyOf(pool, column.table);
  const done = { name: column.name, resealed: 0, unreadable: 0, left: 0 };
  for (let pass = 0; pass < PASSES; pass++) {
    if (pass > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    done.unreadable = 0;
    for (let after: string[] | null = null, more = true; more; ) {
      const batch = await resealBatch(pool, column, key, box, after);
      done.resealed += batch.resealed;
      done.unreadable += batch.unreadable;
      after = batch.last;
      more = after !== null;
    }
    done.left = await countLeft(pool, column, box.keyId);
    if (done.left === done.unreadable) break;
  }
  return done;
}

interface Batch {
  resealed: number;
  unreadable: number;
  /** Primary key of the last row; null after the last batch. */
  last: string[] | null;
}

async function resealBatch(
  pool: pg.Pool,
  column: SealedColumn,
  key: RowKey,
  box: SecretBox,
  after: string[] | null,
): Promise<Batch> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const batch = await resealRows(client, column, key, box, after);
    await client.query("COMMIT");
    return batch;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}

async function resealRows(
  client: pg.PoolClient,
  column: SealedColumn,
  key: RowKey,
  box: SecretBox,
  after: string[] | null,
): Promise<Batch> {
  const { table, read, write, hashed } = column;
  const { columns } = key;
  const names = columns.map(({ name }) => `t.${name}`).join(", ");
  const later = columns.map(({ type }, index) => `$${index + 2}::text::${type}`).join(", ");
  const { rows } = await client.query<SealedRow & { key: string[] }>(
    `SELECT ARRAY[${columns.map(({ name }) => `t.${name}::text`).join(", ")}] AS key, ${sealedRow(column, key)} FROM ${table} t
      WHERE substring(${read} FROM 1 FOR ${box.keyId.length}) <> $1 ${after ? `AND (${names}) > (${later})` : ""}
      ORDER BY ${names} LIMIT ${BATCH} FOR UPDATE OF t SKIP LOCKED`,
    [box.keyId, ...(after ?? [])],
  );
  const opened = rows.map((row) => {
    const context = contextOf(column, row);
    return { of: row.key, place: context, plain: box.openBytes(row.sealed, context) };
  });
  const readable = opened.flatMap(({ of, place: context, plain }) => (plain ? [{ of, place: context, plain }] : []));
  if (readable.length > 0) {
    const same = columns.map(({ name, type }, index) => `t.${name} = v.key${index}::${type}`).join(" AND ");
    await client.query(
      `UPDATE ${table} t SET ${write}
        FROM unnest($1::bytea[], $2::bytea[], ${columns.map((_, index) => `$${index + 3}::text[]`).join(", ")})
          AS v(box, hash, ${columns.map((_, index) => `key${index}`).join(", ")})
        WHERE ${same}`,
      [
        readable.map(({ plain, place }) => box.sealBytes(plain, place)),
        readable.map(({ plain }) => (hashed ? box.fingerprint(plain.toString("utf8")) : null)),
        ...columns.map((_, index) => readable.map(({ of }) => of[index])),
      ],
    );
  }
  return {
    resealed: readable.length,
    unreadable: opened.length - readable.length,
    last: rows.at(-1)?.key ?? null,
  };
}
