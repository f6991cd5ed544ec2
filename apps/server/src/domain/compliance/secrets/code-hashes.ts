import type pg from "pg";
import { asDomainError } from "../../../kernel/database-errors.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { codeContext } from "../../access/public.ts";
import type { Resealed } from "./reseal-column.ts";

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
export async function rehashCodes(pool: pg.Pool, box: SecretBox, check: boolean): Promise<Resealed> {
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
