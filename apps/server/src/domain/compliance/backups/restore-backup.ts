import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import pg from "pg";
import { type Inspected, inspectBackup } from "../../../adapters/backup/inspect.ts";
import { loadBackup } from "../../../adapters/backup/load.ts";
import type { FileStorage } from "../../../adapters/storage/file-storage.ts";
import { FILE_IDS, PASSING } from "./contents.ts";
import { brokenInvariants } from "./invariants.ts";

export interface RestoreTarget {
  /** as the role that owns the schema */
  databaseUrl: string;
  migrationsDir: string;
  storage: FileStorage;
  /** what is there may be given up */
  replace: boolean;
  /** schemas that hold what belongs to the old rows */
  otherSchemas: readonly string[];
  /** before anything is changed; whatever it throws leaves all as it was */
  accept(backup: Inspected): Promise<void>;
}

export interface Restored {
  backup: Inspected;
  /** pictures of what was replaced, which no row names any more */
  erased: number;
  /** what was not as it should be when it was backed up */
  findings: string[];
}

/**
 * Puts a backup in the place of a database and its pictures. The backup is read to its end before anything is changed, and
 * the database is either as before or wholly restored; pictures that were written for a restore that fails stay unnamed.
 * @throws UnreadableBackup, RestoreRefused
 */
export async function restoreBackup(path: string, identity: string, target: RestoreTarget): Promise<Restored> {
  const backup = await inspectBackup(path, identity);
  await target.accept(backup);
  const before = await listFileIds(target.databaseUrl);
  const brought = new Set<string>();
  const findings = await loadBackup(path, identity, backup, {
    databaseUrl: target.databaseUrl,
    migrationsDir: target.migrationsDir,
    replace: target.replace,
    keep: true,
    passing: PASSING,
    otherSchemas: target.otherSchemas,
    async writeFile(id, bytes) {
      await target.storage.write(id, bytes);
      brought.add(id);
    },
    async check(loaded) {
      const findings = await brokenInvariants(loaded, backup.secrets);
      await noteRestored(loaded, path, backup.header.createdAt);
      return findings;
    },
  });
  const orphans = before.filter((id) => !brought.has(id));
  for (const id of orphans) await target.storage.remove(id);
  return { backup, findings, erased: orphans.length };
}

/**
 * In a backup its own run has not ended yet. What is restored from it knows the file that it came from, which is whole and
 * counts among those that are kept.
 */
async function noteRestored(client: pg.ClientBase, path: string, createdAt: string): Promise<void> {
  const file = resolve(path);
  await client.query(
    `UPDATE backup_run SET ended_at = now(), verified_at = now(), file = $2, bytes = $3
      WHERE started_at = $1::timestamptz AND ended_at IS NULL`,
    [createdAt, file, (await stat(file)).size],
  );
}

async function listFileIds(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "restore" });
  await client.connect();
  try {
    const { rows } = await client.query<{ there: boolean }>(
      "SELECT to_regclass('public.stored_file') IS NOT NULL AS there",
    );
    return rows[0]?.there ? (await client.query<{ id: string }>(FILE_IDS)).rows.map(({ id }) => id) : [];
  } finally {
    await client.end();
  }
}
