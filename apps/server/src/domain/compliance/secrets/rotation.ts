import type { Database } from "../../../adapters/postgres/client.ts";
import type { FileStorage } from "../../../adapters/storage/file-storage.ts";
import { type SecretBox, type SecretPurpose, secretBox } from "../../../kernel/secret-box.ts";
import { rehashCodes } from "./code-hashes.ts";
import { resealFaces } from "./face-files.ts";
import { countLeft, type Resealed, resealColumn } from "./reseal-column.ts";
import { SEALED_COLUMNS, type SealedColumn } from "./sealed-columns.ts";

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
