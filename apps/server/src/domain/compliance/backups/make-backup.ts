import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BackupKey } from "../../../adapters/backup/backup-key.ts";
import { BackupUnderWay, type DumpedCounts, dumpEntries, type ReadableFiles } from "../../../adapters/backup/dump.ts";
import { UNFINISHED, writeSealed } from "../../../adapters/backup/sealed-tar.ts";
import type { BackupRuns, NewBackup } from "./backup-runs.ts";
import { FILE_IDS, LEFT_OUT } from "./contents.ts";

/** What a backup is made of and where it goes; the same for the schedule and for an operator's command. */
export interface BackupSetting {
  /** as a role that may read every table */
  databaseUrl: string;
  /** an empty database that is kept for trials (try-backup.ts) */
  trialUrl: string | undefined;
  directory: string;
  /** 0: none is made by itself */
  everyHours: number;
  /** how many are kept */
  keep: number;
  /** what seals it; made on the first use where none is set */
  key(): Promise<BackupKey>;
  /** what opens the sealed fields, by name */
  secrets: Readonly<Record<string, string>>;
  /** of the product */
  version: string;
  migrationsDir: string;
}

export interface BackupDeps {
  setting: BackupSetting;
  files: ReadableFiles;
  /** null: the database is too old to remember */
  runs: BackupRuns | null;
  now(): Date;
}

export interface FinishedBackup extends NewBackup {
  /** its row; null where none is kept */
  runId: number | null;
  files: number;
  /** files that were erased while it was made */
  gone: number;
}

export const BACKUP_NAME = /^innkey-\d{8}T\d{6}Z\.tar\.gz\.age/;

/** `innkey-20261122T051500Z.tar.gz.age`: in order by name, as by time. */
const nameAt = (at: Date): string => `innkey-${at.toISOString().replace(/[-:]|\.\d+/g, "")}.tar.gz.age`;

/**
 * Makes a backup of the whole system as it is at one instant and remembers it. Beside running servers.
 * @throws BackupUnderWay, which leaves no trace, while another is being made; every other failure is remembered too
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

/** Two that begin within the same second would write to the same place; the later one has nothing to do. */
function asUnderWay(error: NodeJS.ErrnoException): never {
  if (error.code === "EEXIST" && error.path?.endsWith(UNFINISHED)) {
    throw new BackupUnderWay("Another backup is being written to the same place.", { cause: error });
  }
  throw error;
}
