import { type SecretBox, type SecretPurpose, secretBox } from "../../core/secret-box.ts";
import type { Database } from "../../infra/database/client.ts";
import type { FileStorage } from "../../infra/file-storage.ts";
import { rehashCodes } from "./code-hashes.ts";
import { resealFaces } from "./face-files.ts";
import { countLeft, type Resealed, resealColumn } from "./reseal-column.ts";
import { SEALED_COLUMNS, type SealedColumn } from "./sealed-columns.ts";

export interface RotationDeps {
  database: Pick<Database, "pool">;
  storage: FileStorage;
  /** the key that everything is to be sealed with */
  secretKey: Uint8Array;
  /** keys of before, which still open what they sealed */
  previousSecretKeys: readonly Uint8Array[];
  /** told after each kind of box */
  onDone?: (done: Resealed) => void;
}

/**
 * Seals everything that is kept anew with the newest key: columns, hashes that are searched by, pictures of faces. May run
 * beside servers that know both keys, and again. With `check` nothing is changed: `left` is what an earlier key holds.
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
