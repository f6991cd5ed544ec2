import type pg from "pg";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { FileStorage } from "../../../adapters/storage/file-storage.ts";
import { asDomainError } from "../../../kernel/database-errors.ts";
import { type SecretBox, type SecretPurpose, secretBox } from "../../../kernel/secret-box.ts";
import { codeContext } from "../../access/public.ts";
import { resealFaces } from "./face-files.ts";
import { countLeft, type Resealed, resealColumn } from "./reseal-column.ts";
import { SEALED_COLUMNS, type SealedColumn } from "./sealed-columns.ts";

const BATCH = 500;

interface Hashed {
  id: number;
  hotelId: number;
  passcodeId: number;
  hash: Buffer;
  sealed: Buffer;
}

const NEXT = `SELECT c.id, c.code_hash AS hash, p.code_box AS sealed, p.hotel_id AS "hotelId",
    p.id AS "passcodeId"
  FROM credential c JOIN passcode p ON p.id = c.passcode_id
  WHERE c.code_hash IS NOT NULL AND c.id > $1 ORDER BY c.id LIMIT ${BATCH}`;

/**
 * Recomputes the keyed hashes that make a door code unique on its lock, from the codes themselves. With `check` it only
 * counts the outdated ones. A hash that cannot be replaced, because the lock got the same code meanwhile, counts as
 * unreadable.
 */
async function rehashCodes(pool: pg.Pool, box: SecretBox, check: boolean): Promise<Resealed> {
  const done = { name: "credential.code_hash", resealed: 0, unreadable: 0, left: 0 };
  for (let after = 0; ; ) {
    const { rows } = await pool.query<Hashed>(NEXT, [after]);
    for (const row of rows) {
      const code = box.open(row.sealed, codeContext(row, row.passcodeId));
      const hash = code === null ? null : box.fingerprint(code);
      if (hash?.equals(row.hash)) continue;
      if (!check && hash && (await exchange(pool, row, hash))) done.resealed += 1;
      else done.left += 1;
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (!check) done.unreadable = done.left;
  return done;
}

async function exchange(pool: pg.Pool, { id, hash: before }: Hashed, hash: Buffer): Promise<boolean> {
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

export interface RotationDeps {
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
 * beside servers that have both keys, and may be repeated. With `check` it changes nothing, and `left` counts the
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
    const of = box(column.purpose);
    report(check ? await looked(deps, column, of) : await resealColumn(pool, column, of));
  }
  report(await rehashCodes(pool, box("code"), check));
  report(await resealFaces(pool, storage, box("face"), check));
  return results;
}

async function looked({ database }: RotationDeps, column: SealedColumn, box: SecretBox): Promise<Resealed> {
  const left = await countLeft(database.pool, column, box.keyId);
  return { name: column.name, resealed: 0, unreadable: 0, left };
}
