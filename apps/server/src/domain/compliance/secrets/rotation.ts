import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type pg from "pg";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { FileStorage } from "../../../adapters/storage/storage.ts";
import { asDomainError } from "../../../kernel/errors.ts";
import { type SecretBox, type SecretPurpose, secretBox } from "../../../kernel/secret-box.ts";
import { inTransaction } from "../../../kernel/transaction.ts";
import { codeContext } from "../../access/public.ts";
import { faceContext } from "../../files/public.ts";
import {
  contextOf,
  type RowKey,
  rowKeyOf,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedRow,
  sealedRow,
} from "./sealed-columns.ts";

/** Result for one kind of sealed value. */
export interface Resealed {
  name: string;
  resealed: number;
  /** Values that none of the keys opens. */
  unreadable: number;
  /** Values not sealed with the newest key at the end, including the unreadable ones. */
  remaining: number;
}

const ROW_BATCH = 500;
/** Rows that another transaction has locked are left for the next pass. */
const MAX_PASSES = 20;
const PAUSE_MS = 250;

export async function countLeft(pool: pg.Pool, { table, read }: SealedColumn, keyId: Buffer): Promise<number> {
  const { rows } = await pool.query<{ remaining: number }>(
    `SELECT count(*)::int AS remaining FROM ${table} t WHERE substring(${read} FROM 1 FOR ${keyId.length}) <> $1`,
    [keyId],
  );
  return rows[0]?.remaining ?? 0;
}

/**
 * Seals a column's values with the newest key, in batches, beside a running server. It never waits for a locked row,
 * and a row that changes meanwhile is sealed by the server that changes it. It can be stopped and started again without
 * losing progress.
 */
export async function resealColumn(pool: pg.Pool, column: SealedColumn, box: SecretBox): Promise<Resealed> {
  const key = await rowKeyOf(pool, column.table);
  const done = { name: column.name, resealed: 0, unreadable: 0, remaining: 0 };
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    if (pass > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    done.unreadable = 0;
    for (let after: string[] | null = null, more = true; more; ) {
      const batch: Batch = await inTransaction(pool, (client) => resealRows(client, column, key, box, after));
      done.resealed += batch.resealed;
      done.unreadable += batch.unreadable;
      after = batch.last;
      more = after !== null;
    }
    done.remaining = await countLeft(pool, column, box.keyId);
    if (done.remaining === done.unreadable) break;
  }
  return done;
}

interface Batch {
  resealed: number;
  unreadable: number;
  /** Primary key of the last row; null after the last batch. */
  last: string[] | null;
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
  const lastKey = columns.map(({ type }, index) => `$${index + 2}::text::${type}`).join(", ");
  const { rows } = await client.query<SealedRow & { key: string[] }>(
    `SELECT ARRAY[${columns.map(({ name }) => `t.${name}::text`).join(", ")}] AS key, ${sealedRow(column, key)} FROM ${table} t
      WHERE substring(${read} FROM 1 FOR ${box.keyId.length}) <> $1 ${after ? `AND (${names}) > (${lastKey})` : ""}
      ORDER BY ${names} LIMIT ${ROW_BATCH} FOR UPDATE OF t SKIP LOCKED`,
    [box.keyId, ...(after ?? [])],
  );
  const values = rows.map((row) => {
    const context = contextOf(column, row);
    return { key: row.key, context, plain: box.openBytes(row.sealed, context) };
  });
  const readable = values.flatMap(({ plain, ...value }) => (plain ? [{ ...value, plain }] : []));
  if (readable.length > 0) {
    const isSameRow = columns.map(({ name, type }, index) => `t.${name} = v.key${index}::${type}`).join(" AND ");
    await client.query(
      `UPDATE ${table} t SET ${write}
        FROM unnest($1::bytea[], $2::bytea[], ${columns.map((_, index) => `$${index + 3}::text[]`).join(", ")})
          AS v(box, hash, ${columns.map((_, index) => `key${index}`).join(", ")})
        WHERE ${isSameRow}`,
      [
        readable.map(({ plain, context }) => box.sealBytes(plain, context)),
        readable.map(({ plain }) => (hashed ? box.fingerprint(plain.toString("utf8")) : null)),
        ...columns.map((_, index) => readable.map((value) => value.key[index])),
      ],
    );
  }
  return {
    resealed: readable.length,
    unreadable: values.length - readable.length,
    last: rows.at(-1)?.key ?? null,
  };
}

const FACE_BATCH = 100;

const NEXT_FACES = `SELECT id::text, hotel_id AS "hotelId" FROM stored_file WHERE kind = 'face' AND id > $1::uuid ORDER BY id LIMIT ${FACE_BATCH}`;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** Seals the stored face pictures with the newest key; with `check` it only counts those that need it. */
async function resealFaces(pool: pg.Pool, storage: FileStorage, box: SecretBox, check: boolean): Promise<Resealed> {
  const done = { name: "pictures of faces", resealed: 0, unreadable: 0, remaining: 0 };
  const rewritten: string[] = [];
  let after: string | undefined = LOWEST_ID;
  while (after !== undefined) {
    const { rows }: pg.QueryResult<{ id: string; hotelId: number }> = await pool.query<{ id: string; hotelId: number }>(
      NEXT_FACES,
      [after],
    );
    for (const { id, hotelId } of rows) {
      const sealed = await readContent(storage, id);
      if (!sealed || sealed.subarray(0, box.keyId.length).equals(box.keyId)) continue;
      const plain = box.openBytes(sealed, faceContext(hotelId, id));
      if (check || !plain) {
        done.remaining += 1;
        if (!plain) done.unreadable += 1;
        continue;
      }
      await replaceFile(pool, storage, id, box.sealBytes(plain, faceContext(hotelId, id)));
      rewritten.push(id);
      done.resealed += 1;
    }
    after = rows.at(-1)?.id;
  }
  await removeErased(pool, storage, rewritten);
  return done;
}

async function readContent(storage: FileStorage, id: string): Promise<Buffer | null> {
  const content = await storage.read(id);
  return content && buffer(content);
}

/** Writes the sealed picture and updates the hash of the stored content in its row. */
async function replaceFile(pool: pg.Pool, storage: FileStorage, id: string, sealed: Buffer): Promise<void> {
  await storage.write(id, sealed);
  const sha256 = createHash("sha256").update(sealed).digest("hex");
  await pool.query("UPDATE stored_file SET sha256 = $2 WHERE id = $1::uuid", [id, sha256]);
}

/** Deletes pictures that were erased between our read and our write: they are on disk again, but have no row. */
async function removeErased(pool: pg.Pool, storage: FileStorage, ids: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id::text FROM unnest($1::uuid[]) AS id WHERE NOT EXISTS (SELECT FROM stored_file f WHERE f.id = id.id)",
    [ids],
  );
  for (const { id } of rows) await storage.remove(id);
}

const CODE_BATCH = 500;

interface Hashed {
  id: number;
  hotelId: number;
  passcodeId: number;
  hash: Buffer;
  sealed: Buffer;
}

const NEXT_CODES = `SELECT c.id, c.code_hash AS hash, p.code_box AS sealed, p.hotel_id AS "hotelId",
    p.id AS "passcodeId"
  FROM credential c JOIN passcode p ON p.id = c.passcode_id
  WHERE c.code_hash IS NOT NULL AND c.id > $1 ORDER BY c.id LIMIT ${CODE_BATCH}`;

/**
 * Recomputes the keyed hashes that make a door code unique on its lock, from the codes themselves. With `check` it only
 * counts the outdated ones. A hash that cannot be replaced, because the lock got the same code meanwhile, counts as
 * unreadable.
 */
async function rehashCodes(pool: pg.Pool, box: SecretBox, check: boolean): Promise<Resealed> {
  const done = { name: "credential.code_hash", resealed: 0, unreadable: 0, remaining: 0 };
  for (let after = 0; ; ) {
    const { rows } = await pool.query<Hashed>(NEXT_CODES, [after]);
    for (const row of rows) {
      const code = box.open(row.sealed, codeContext(row, row.passcodeId));
      const hash = code === null ? null : box.fingerprint(code);
      if (hash?.equals(row.hash)) continue;
      if (!check && hash && (await replaceCodeHash(pool, row, hash))) done.resealed += 1;
      else done.remaining += 1;
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (!check) done.unreadable = done.remaining;
  return done;
}

async function replaceCodeHash(pool: pg.Pool, { id, hash: before }: Hashed, hash: Buffer): Promise<boolean> {
  try {
    const { rowCount } = await pool.query("UPDATE credential SET code_hash = $2 WHERE id = $1 AND code_hash = $3", [
      id,
      hash,
      before,
    ]);
    return rowCount === 1;
  } catch (error) {
    if (asDomainError(error) === error) throw error;
    return false;
  }
}

interface RotationDeps {
  database: Pick<Database, "pool">;
  storage: FileStorage;
  /** Key that everything is to be sealed with. */
  secretKey: Uint8Array;
  /** Earlier keys, which still open the values that they sealed. */
  previousSecretKeys: readonly Uint8Array[];
  /** Called after each kind of sealed value. */
  onDone?: (done: Resealed) => void;
}

/**
 * Seals all stored secrets with the newest key: columns, the hashes used for search, and face pictures. It may run
 * beside servers that have both keys, and may be repeated. With `check` it changes nothing, and `remaining` counts the
 * values of earlier keys.
 */
export async function rotateSecrets(deps: RotationDeps, check = false): Promise<Resealed[]> {
  const { database, storage, secretKey, previousSecretKeys, onDone } = deps;
  const { pool } = database;
  const box = (purpose: SecretPurpose): SecretBox => secretBox(secretKey, purpose, previousSecretKeys);
  const results: Resealed[] = [];
  const report = (done: Resealed): void => {
    results.push(done);
    onDone?.(done);
  };
  for (const column of SEALED_COLUMNS) {
    const columnBox = box(column.purpose);
    report(check ? await countColumn(deps, column, columnBox) : await resealColumn(pool, column, columnBox));
  }
  report(await rehashCodes(pool, box("code"), check));
  report(await resealFaces(pool, storage, box("face"), check));
  return results;
}

async function countColumn({ database }: RotationDeps, column: SealedColumn, box: SecretBox): Promise<Resealed> {
  const remaining = await countLeft(database.pool, column, box.keyId);
  return { name: column.name, resealed: 0, unreadable: 0, remaining };
}
