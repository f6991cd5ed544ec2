import { existsSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { BackupKey } from "../../../adapters/backup/backup-key.ts";
import { BackupUnderWay, type DumpedCounts, dumpEntries, type ReadableFiles } from "../../../adapters/backup/dump.ts";
import { UNFINISHED, writeSealed } from "../../../adapters/backup/sealed-tar.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import { FILE_IDS, LEFT_OUT } from "./invariants.ts";

export interface BackupRow {
  id: number;
  file: string;
  startedAt: Date;
  verifiedAt: Date | null;
  error: string | null;
}

interface NewBackup {
  file: string;
  bytes: number;
  rows: number;
}

const MAX_ERROR_CHARACTERS = 500;
const INTERRUPTED = "The process that made it ended before it was done.";
/** Longer than any backup takes; an unfinished run older than this was abandoned. */
const MAX_DURATION_MS = 86_400_000;

/** Stores the backup runs, in the database that is backed up. */
export class BackupRuns {
  readonly #pool: Pick<pg.Pool, "query">;

  constructor({ pool }: { pool: Pick<pg.Pool, "query"> }) {
    this.#pool = pool;
  }

  async begin(at: Date): Promise<number> {
    await this.#pool.query(
      "UPDATE backup_run SET ended_at = $1, error = $2 WHERE ended_at IS NULL AND started_at < $3",
      [at, INTERRUPTED, new Date(at.getTime() - MAX_DURATION_MS)],
    );
    const { rows } = await this.#pool.query<{ id: number }>(
      "INSERT INTO backup_run (started_at) VALUES ($1) RETURNING id",
      [at],
    );
    return rows[0]?.id ?? 0;
  }

  async end(id: number, at: Date, { file, bytes, rows }: NewBackup): Promise<void> {
    await this.#pool.query("UPDATE backup_run SET ended_at = $2, file = $3, bytes = $4, rows = $5 WHERE id = $1", [
      id,
      at,
      file,
      bytes,
      rows,
    ]);
  }

  /** Records that the backup failed, or that a trial restore found it bad. */
  async fail(id: number, at: Date, error: unknown): Promise<void> {
    const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARACTERS);
    await this.#pool.query("UPDATE backup_run SET ended_at = coalesce(ended_at, $2), error = $3 WHERE id = $1", [
      id,
      at,
      text,
    ]);
  }

  /** Deletes the run, because the backup was not started after all. */
  async delete(id: number): Promise<void> {
    await this.#pool.query("DELETE FROM backup_run WHERE id = $1", [id]);
  }

  /** Records that the backup passed a trial restore. */
  async markVerified(id: number, at: Date): Promise<void> {
    await this.#pool.query("UPDATE backup_run SET verified_at = $2 WHERE id = $1", [id, at]);
  }

  /** Records that the file was deleted. */
  async markFileDeleted(id: number): Promise<void> {
    await this.#pool.query("UPDATE backup_run SET file = NULL WHERE id = $1", [id]);
  }

  /** Returns the backups whose files still exist, newest first. */
  async listWithFile(): Promise<BackupRow[]> {
    const { rows } = await this.#pool.query<BackupRow>(
      `SELECT id, file, started_at AS "startedAt", verified_at AS "verifiedAt", error FROM backup_run
        WHERE file IS NOT NULL ORDER BY started_at DESC, id DESC`,
    );
    return rows;
  }

  /** Returns the start times of the latest good run, the latest run and the latest run that passed a trial restore. */
  async readLatest(): Promise<{ good: Date | null; latest: Date | null; verified: Date | null }> {
    const { rows } = await this.#pool.query<{ good: Date | null; latest: Date | null; verified: Date | null }>(
      `SELECT max(started_at) FILTER (WHERE ended_at IS NOT NULL AND error IS NULL) AS good, max(started_at) AS latest,
        max(started_at) FILTER (WHERE verified_at IS NOT NULL) AS verified FROM backup_run`,
    );
    return rows[0] ?? { good: null, latest: null, verified: null };
  }
}

export interface LastBackup {
  /** Start of the newest good backup, which contains nothing later; null if there is none yet. */
  at: Date | null;
  bytes: number | null;
  /** When that backup passed a trial restore; null if it has not yet. */
  verifiedAt: Date | null;
  /** When any backup last passed a trial restore; null if none ever did. */
  lastVerifiedAt: Date | null;
  /** Why the newest attempt failed or the newest backup is not reliable; null if all is well. */
  error: string | null;
}

const LAST = `
  SELECT good.started_at AS "at", good.bytes::float8 AS bytes, good.verified_at AS "verifiedAt",
    (SELECT max(verified_at) FROM backup_run WHERE error IS NULL) AS "lastVerifiedAt", newest.error
  FROM (SELECT error FROM backup_run WHERE ended_at IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1) newest
  LEFT JOIN (
    SELECT started_at, bytes, verified_at FROM backup_run
    WHERE ended_at IS NOT NULL AND error IS NULL ORDER BY started_at DESC, id DESC LIMIT 1
  ) good ON true`;

/** Returns the status of backups for monitoring; null if none was ever attempted. */
export async function lastBackup({ pool }: Pick<Database, "pool">): Promise<LastBackup | null> {
  const { rows } = await pool.query<LastBackup>(LAST);
  return rows[0] ?? null;
}

/** Contents and destination of a backup, for the schedule and the command line. */
export interface BackupSettings {
  /** For a role that may read every table. */
  databaseUrl: string;
  /** Empty database kept for trial restores (adapters/backup/trial-database.ts). */
  trialUrl: string | undefined;
  directory: string;
  /** 0 means that no scheduled backups are made. */
  everyHours: number;
  /** How many backups to keep. */
  keep: number;
  /** Key that seals the backup; created on first use if none is configured. */
  key(): Promise<BackupKey>;
  /** Secrets by name: keys of the encrypted values in the rows, and other secrets of the installation. */
  secrets: Readonly<Record<string, string>>;
  /** Version of the product. */
  version: string;
  migrationsDir: string;
}

interface BackupDeps {
  settings: BackupSettings;
  files: ReadableFiles;
  /** null if the schema of the database is too old to store runs */
  runs: BackupRuns | null;
  now(): Date;
}

export interface FinishedBackup extends NewBackup {
  /** Id of the stored run; null if runs are not stored. */
  runId: number | null;
  files: number;
  /** Number of files that were erased during the backup. */
  gone: number;
}

export const BACKUP_NAME = /^innkey-\d{8}T\d{6}Z\.tar\.gz\.age/;

/** Returns a name such as `innkey-20261122T051500Z.tar.gz.age`, so that names sort by time. */
const nameAt = (at: Date): string => `innkey-${at.toISOString().replace(/[-:]|\.\d+/g, "")}.tar.gz.age`;

/**
 * Backs up the whole system as of one instant and records the run. May run beside running servers.
 * @throws BackupUnderWay, which leaves no run, while another backup is being made; every other failure is recorded
 */
export async function makeBackup({ settings, files, runs, now }: BackupDeps): Promise<FinishedBackup> {
  const createdAt = now();
  const file = join(settings.directory, nameAt(createdAt));
  if (existsSync(file)) throw new BackupUnderWay(`${file} exists already.`);
  const runId = (await runs?.begin(createdAt)) ?? null;
  try {
    const { recipient } = await settings.key();
    let counts: DumpedCounts = { rows: 0, files: 0, gone: 0 };
    const { databaseUrl, version, secrets } = settings;
    const source = {
      databaseUrl,
      version,
      secrets,
      createdAt,
      files,
      leftOut: Object.keys(LEFT_OUT),
      fileIds: FILE_IDS,
    };
    const entries = dumpEntries(source, (all) => {
      counts = all;
    });
    const bytes = await writeSealed(file, recipient, entries).catch(asUnderWay);
    const backup = { file, bytes, ...counts };
    if (runId !== null) await runs?.end(runId, now(), backup);
    return { ...backup, runId };
  } catch (error) {
    if (runId !== null && error instanceof BackupUnderWay) await runs?.delete(runId);
    else if (runId !== null) await runs?.fail(runId, now(), error);
    throw error;
  }
}

/** Two backups started within the same second would write to the same file; the later one stops. */
function asUnderWay(error: NodeJS.ErrnoException): never {
  if (error.code === "EEXIST" && error.path?.endsWith(UNFINISHED)) {
    throw new BackupUnderWay("Another backup is being written to the same place.", { cause: error });
  }
  throw error;
}
