import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BackupKey } from "../../../adapters/backup/backup-key.ts";
import { BackupUnderWay, type DumpedCounts, dumpEntries, type ReadableFiles } from "../../../adapters/backup/dump.ts";
import { UNFINISHED, writeSealed } from "../../../adapters/backup/sealed-tar.ts";
import type { BackupRuns, NewBackup } from "./backup-runs.ts";
import { FILE_IDS, LEFT_OUT } from "./invariants.ts";

/** Contents and destination of a backup, for the schedule and the command line. */
export interface BackupSetting {
  /** For a role that may read every table. */
  databaseUrl: string;
  /** Empty database kept for trial restores (try-backup.ts). */
  trialUrl: string | undefined;
  directory: string;
  /** 0 means that no scheduled backups are made. */
  everyHours: number;
  /** How many backups to keep. */
  keep: number;
  /** Key that seals the backup; created on first use if none is configured. */
  key(): Promise<BackupKey>;
  /** Keys that open the sealed fields, by name. */
  secrets: Readonly<Record<string, string>>;
  /** Version of the product. */
  version: string;
  migrationsDir: string;
}

export interface BackupDeps {
  setting: BackupSetting;
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
export async function makeBackup({ setting, files, runs, now }: BackupDeps): Promise<FinishedBackup> {
  const createdAt = now();
  const file = join(setting.directory, nameAt(createdAt));
  if (existsSync(file)) throw new BackupUnderWay(`${file} is there already.`);
  const runId = (await runs?.begin(createdAt)) ?? null;
  try {
    const { recipient } = await setting.key();
    let counts: DumpedCounts = { rows: 0, files: 0, gone: 0 };
    const { databaseUrl, version, secrets } = setting;
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
    if (runId !== null && error instanceof BackupUnderWay) await runs?.forget(runId);
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
