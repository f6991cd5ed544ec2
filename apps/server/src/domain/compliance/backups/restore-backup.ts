import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import pg from "pg";
import { type Inspected, inspectBackup } from "../../../adapters/backup/inspect.ts";
import { loadBackup } from "../../../adapters/backup/load.ts";
import { withScratchDatabase, withTrialDatabase } from "../../../adapters/backup/trial-database.ts";
import type { FileStorage } from "../../../adapters/storage/storage.ts";
import { brokenInvariants, FILE_IDS, LEFT_OUT, SELF_FILLING_TABLES } from "./invariants.ts";

export interface RestoreTarget {
  /** For the role that owns the schema. */
  databaseUrl: string;
  migrationsDir: string;
  storage: FileStorage;
  /** Allows the existing data to be replaced. */
  replace: boolean;
  /** Other schemas whose contents belong to the replaced rows. */
  otherSchemas: readonly string[];
  /** Called before anything changes; if it throws, everything remains as it was. */
  accept(backup: Inspected): Promise<void>;
}

export interface Restored {
  backup: Inspected;
  /** Number of erased pictures that belonged to the replaced rows. */
  erased: number;
  /** Faults that the data already had when it was backed up. */
  findings: string[];
}

/**
 * Replaces a database and its pictures by a backup, which is first read completely. The database is
 * restored completely or not at all; pictures written by a failed restore remain, but no row refers to them.
 * @throws UnreadableBackup, RestoreRefused
 */
export async function restoreBackup(path: string, identity: string, target: RestoreTarget): Promise<Restored> {
  const backup = await inspectBackup(path, identity);
  await target.accept(backup);
  const before = await listFileIds(target.databaseUrl);
  const writtenIds = new Set<string>();
  const findings = await loadBackup(path, identity, backup, {
    databaseUrl: target.databaseUrl,
    migrationsDir: target.migrationsDir,
    replace: target.replace,
    keep: true,
    ignoredTables: SELF_FILLING_TABLES,
    otherSchemas: target.otherSchemas,
    async writeFile(id, bytes) {
      await target.storage.write(id, bytes);
      writtenIds.add(id);
    },
    async check(loaded) {
      const findings = await brokenInvariants(loaded, backup.secrets);
      await completeOwnRun(loaded, path, backup.header.createdAt);
      return findings;
    },
  });
  const orphans = before.filter((id) => !writtenIds.has(id));
  for (const id of orphans) await target.storage.remove(id);
  return { backup, findings, erased: orphans.length };
}

/**
 * Completes the backup's own run, which had not ended when it was backed up, so that the restored database has the
 * file that it was restored from as a verified backup.
 */
async function completeOwnRun(client: pg.ClientBase, path: string, createdAt: string): Promise<void> {
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
    const { rows } = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('public.stored_file') IS NOT NULL AS exists",
    );
    return rows[0]?.exists ? (await client.query<{ id: string }>(FILE_IDS)).rows.map(({ id }) => id) : [];
  } finally {
    await client.end();
  }
}

export interface TriedBackup {
  createdAt: Date;
  version: string;
  rows: number;
  tables: number;
  files: number;
  gone: readonly string[];
  /** Faults that the data already had when it was backed up. */
  findings: string[];
}

interface TrialSettings {
  /** For the server's role or the owner. */
  databaseUrl: string;
  /** Empty database kept for trials; if undefined, one is created beside `databaseUrl` and dropped afterwards. */
  trialUrl: string | undefined;
  migrationsDir: string;
}

/**
 * Restores a backup into a separate database and removes it again. Reads every byte, loads, compares and checks every
 * row, and runs this version's migrations. May run beside running servers; files are read but not stored.
 * @throws UnreadableBackup, NotAsBackedUp, RestoreRefused for a backup of a newer version, NoScratchDatabase,
 * TrialRefused
 */
export async function tryBackup(
  path: string,
  identity: string,
  { databaseUrl, trialUrl, migrationsDir }: TrialSettings,
): Promise<TriedBackup> {
  const inspected = await inspectBackup(path, identity);
  const load = (empty: string): Promise<string[]> =>
    loadBackup(path, identity, inspected, {
      databaseUrl: empty,
      migrationsDir,
      replace: false,
      keep: false,
      ignoredTables: Object.keys(LEFT_OUT),
      otherSchemas: [],
      writeFile: async () => undefined,
      check: (client) => brokenInvariants(client, inspected.secrets),
    });
  const findings = await (trialUrl === undefined
    ? withScratchDatabase(databaseUrl, load)
    : withTrialDatabase(databaseUrl, trialUrl, load));
  const { header, manifest } = inspected;
  return {
    createdAt: new Date(header.createdAt),
    version: header.version,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    tables: manifest.tables.length,
    files: manifest.files.count,
    gone: manifest.gone,
    findings,
  };
}
