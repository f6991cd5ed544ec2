import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type pg from "pg";
import type { FileStorage } from "../../../adapters/storage/file-storage.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { faceContext } from "../../files/public.ts";
import type { Resealed } from "./reseal-column.ts";

const BATCH = 100;

const NEXT = `SELECT id::text, hotel_id AS "hotelId" FROM stored_file WHERE kind = 'face' AND id > $1::uuid ORDER BY id LIMIT ${BATCH}`;
const FIRST = "00000000-0000-0000-0000-000000000000";

/** Seals the stored face pictures with the newest key; with `check` it only counts those that need it. */
export async function resealFaces(
  pool: pg.Pool,
  storage: FileStorage,
  box: SecretBox,
  check: boolean,
): Promise<Resealed> {
  const done = { name: "pictures of faces", resealed: 0, unreadable: 0, left: 0 };
  const rewritten: string[] = [];
  let after: string | undefined = FIRST;
  while (after !== undefined) {
    const { rows }: pg.QueryResult<{ id: string; hotelId: number }> = await pool.query<{ id: string; hotelId: number }>(
      NEXT,
      [after],
    );
    for (const { id, hotelId } of rows) {
      const sealed = await contentOf(storage, id);
      if (!sealed || sealed.subarray(0, box.keyId.length).equals(box.keyId)) continue;
      const plain = box.openBytes(sealed, faceContext(hotelId, id));
      if (check || !plain) {
        done.left += 1;
        if (!plain) done.unreadable += 1;
        continue;
      }
      await exchange(pool, storage, id, box.sealBytes(plain, faceContext(hotelId, id)));
      rewritten.push(id);
      done.resealed += 1;
    }
    after = rows.at(-1)?.id;
  }
  await removeErased(pool, storage, rewritten);
  return done;
}

async function contentOf(storage: FileStorage, id: string): Promise<Buffer | null> {
  const content = await storage.read(id);
  return content && buffer(content);
}

/** Writes the sealed picture and updates the hash of the stored content in its row. */
async function exchange(pool: pg.Pool, storage: FileStorage, id: string, sealed: Buffer): Promise<void> {
  await storage.write(id, sealed);
  const sha256 = createHash("sha256").update(sealed).digest("hex");
  await pool.query("UPDATE stored_file SET sha256 = $2 WHERE id = $1::uuid", [id, sha256]);
}

/** A picture that was erased between our read and our write is on disk again, but has no row; we delete it. */
async function removeErased(pool: pg.Pool, storage: FileStorage, ids: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id::text FROM unnest($1::uuid[]) AS id WHERE NOT EXISTS (SELECT FROM stored_file f WHERE f.id = id.id)",
    [ids],
  );
  for (const { id } of rows) await storage.remove(id);
}
