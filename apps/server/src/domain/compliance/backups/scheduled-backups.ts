import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { HOUR_MS } from "@innkey/shared/durations";
import { z } from "zod";
import { UnreadableBackup } from "../../../adapters/backup/backup-format.ts";
import { BackupUnderWay, type ReadableFiles } from "../../../adapters/backup/dump.ts";
import { NotAsBackedUp } from "../../../adapters/backup/load.ts";
import { UNFINISHED } from "../../../adapters/backup/sealed-tar.ts";
import { NoScratchDatabase, TrialRefused } from "../../../adapters/backup/trial-database.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import {
  BACKUP_NAME,
  type BackupRow,
  BackupRuns,
  type BackupSettings,
  type FinishedBackup,
  makeBackup,
} from "./make-backup.ts";
import { tryBackup } from "./restore-backup.ts";

/** Checks whether a backup is due and makes it. */
export const backupJob: Job<Record<string, never>> = { name: "backups.run", payload: z.strictObject({}) };

const CHECK_SECONDS = 300;
/** One backup a day is tried, because a trial restore takes longer than the backup. */
const VERIFY_EVERY_MS = 24 * HOUR_MS;
const MAX_PARTIAL_FILE_AGE_MS = 24 * HOUR_MS;
/** Number of bad backups to keep for investigation, limited so that they don't fill the disk. */
const MAX_BAD_BACKUPS = 3;

export interface ScheduleDeps {
  database: Pick<Database, "pool">;
  backup: BackupSettings;
  storage: ReadableFiles;
  clock: Clock;
  log: Logger;
}

/** Scheduled backups: whichever process gets the job makes the backup that is due. */
export class ScheduledBackups {
  readonly #deps: ScheduleDeps;
  readonly #runs: BackupRuns;

  constructor(queue: JobQueue, deps: ScheduleDeps) {
    this.#deps = deps;
    this.#runs = new BackupRuns(deps.database);
    queue.define(backupJob, (_payload, log) => this.runIfDue(log), { concurrency: 1, attempts: 1 });
    queue.every(backupJob, CHECK_SECONDS, {});
  }

  /** If a backup is due, makes it, tries it at most once a day and deletes old ones. */
  async runIfDue(log = this.#deps.log): Promise<void> {
    const { backup, storage, clock } = this.#deps;
    if (!(await this.#isDue())) return;
    try {
      const newBackup = await makeBackup({
        settings: backup,
        files: storage,
        runs: this.#runs,
        now: () => clock.now(),
      });
      log.info({ file: newBackup.file, bytes: newBackup.bytes, rows: newBackup.rows }, "backup made");
      await this.#verify(newBackup, log);
    } catch (error) {
      if (!(error instanceof BackupUnderWay)) throw error;
    } finally {
      // Old backups are deleted also after a failure, because the disk may be full. An error here is only logged, so
      // that the first failure is the one reported.
      await this.#deleteOld().catch((error: unknown) => log.error({ err: error }, "old backups can't be deleted"));
    }
  }

  /**
   * Counts from the last good backup, so that a restart or a lost queue neither skips nor repeats a backup. After a
   * failure the next attempt follows after an hour.
   */
  async #isDue(): Promise<boolean> {
    const { everyHours } = this.#deps.backup;
    if (everyHours === 0) return false;
    const now = this.#deps.clock.now().getTime();
    const { good, latest } = await this.#runs.readLatest();
    const pause = Math.min(everyHours * HOUR_MS, HOUR_MS);
    return now - (good?.getTime() ?? 0) >= everyHours * HOUR_MS && now - (latest?.getTime() ?? 0) >= pause;
  }

  /**
   * Tries the backup, if the key that opens backups and a database for the trial are available; elsewhere an
   * administrator does it by hand.
   * @throws UnreadableBackup, NotAsBackedUp for a bad backup. Other errors say nothing about the backup and are only
   * logged; the next backup is tried.
   */
  async #verify({ file, runId }: FinishedBackup, log: Logger): Promise<void> {
    const { backup, clock } = this.#deps;
    const { identity } = await backup.key();
    const { verified } = await this.#runs.readLatest();
    const now = clock.now();
    if (identity === null || runId === null) return;
    if (verified && now.getTime() - verified.getTime() < VERIFY_EVERY_MS) return;
    try {
      const { findings } = await tryBackup(file, identity, backup);
      if (findings.length === 0) await this.#runs.markVerified(runId, clock.now());
      // The data had these faults when it was backed up, so the backup itself is good.
      else log.error({ file, findings }, `backup not verified: ${findings.join(" ")}`);
    } catch (error) {
      if (error instanceof UnreadableBackup || error instanceof NotAsBackedUp) {
        await this.#runs.fail(runId, clock.now(), error);
        throw error;
      }
      if (error instanceof NoScratchDatabase) log.warn(error.message);
      else if (error instanceof TrialRefused) log.error(error.message);
      else log.error({ err: error, file }, "backup not verified: it could not be tried");
    }
  }

  /** Deletes only files that this system recorded; the directory may contain others too. */
  async #deleteOld(): Promise<void> {
    const { directory, keep } = this.#deps.backup;
    const here = (await this.#runs.listWithFile()).filter(({ file }) => resolve(dirname(file)) === resolve(directory));
    for (const { id, file } of selectOutdated(here, keep)) {
      await rm(file, { force: true });
      await this.#runs.markFileDeleted(id);
    }
    await removeLeftovers(directory, this.#deps.clock.now());
  }
}

/** Deletes partial files of backups whose process was killed. */
async function removeLeftovers(directory: string, now: Date): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!BACKUP_NAME.test(name) || !name.endsWith(UNFINISHED)) continue;
    const path = join(directory, name);
    const { mtime } = await stat(path).catch(() => ({ mtime: now }));
    if (now.getTime() - mtime.getTime() > MAX_PARTIAL_FILE_AGE_MS) await rm(path, { force: true });
  }
}

/**
 * Returns the backups to delete, given the newest first: good ones beyond the newest `keep`, but never the newest that
 * passed a trial restore; bad ones once there is a newer good one, and beyond the newest few.
 */
export function selectOutdated(backups: readonly BackupRow[], keep: number): BackupRow[] {
  const good = backups.filter(({ error }) => error === null);
  const bad = backups.filter(({ error }) => error !== null);
  const newestVerified = good.find(({ verifiedAt }) => verifiedAt !== null);
  const [newest] = good;
  return backups.filter((one) => {
    if (one.error !== null) {
      return bad.indexOf(one) >= MAX_BAD_BACKUPS || (newest !== undefined && newest.startedAt > one.startedAt);
    }
    return one !== newestVerified && good.indexOf(one) >= keep;
  });
}
