import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { UnreadableBackup } from "../../../adapters/backup/damage.ts";
import { BackupUnderWay, type ReadableFiles } from "../../../adapters/backup/dump.ts";
import { NotAsBackedUp } from "../../../adapters/backup/load.ts";
import { NoScratchDatabase } from "../../../adapters/backup/scratch-database.ts";
import { UNFINISHED } from "../../../adapters/backup/sealed-tar.ts";
import { TrialRefused } from "../../../adapters/backup/trial-database.ts";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../../adapters/queue/queue.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { type BackupRow, BackupRuns } from "./backup-runs.ts";
import { BACKUP_NAME, type BackupSetting, type FinishedBackup, makeBackup } from "./make-backup.ts";
import { tryBackup } from "./try-backup.ts";

/** Asks whether a backup is due, and makes it. */
export const backupJob: Job<Record<string, never>> = { name: "backups.run", payload: z.strictObject({}) };

const ASK_SECONDS = 300;
const HOUR_MS = 3_600_000;
/** A trial restore takes longer than the backup did. */
const VERIFY_EVERY_MS = 24 * HOUR_MS;
const LEFT_BEHIND_MS = 24 * HOUR_MS;
/** Bad ones are kept to be looked into, and not until the disk is full. */
const MAX_BAD = 3;

export interface ScheduleDeps {
  database: Pick<Database, "pool">;
  backup: BackupSetting;
  storage: ReadableFiles;
  clock: Clock;
  log: Logger;
}

/** Backups that come by themselves: whichever process gets the job makes the one that is due. */
export class ScheduledBackups {
  readonly #needs: ScheduleDeps;
  readonly #runs: BackupRuns;

  constructor(queue: JobQueue, deps: ScheduleDeps) {
    this.#needs = deps;
    this.#runs = new BackupRuns(deps.database);
    queue.define(backupJob, (_payload, log) => this.runIfDue(log), { concurrency: 1, attempts: 1 });
    queue.every(backupJob, ASK_SECONDS, {});
  }

  /** Makes a backup, tries it once a day and deletes what is kept no longer; nothing while none is due. */
  async runIfDue(log = this.#needs.log): Promise<void> {
    const { backup, storage, clock } = this.#needs;
    if (!(await this.#isDue())) return;
    try {
      const newBackup = await makeBackup({ setting: backup, files: storage, runs: this.#runs, now: () => clock.now() });
      log.info({ file: newBackup.file, bytes: newBackup.bytes, rows: newBackup.rows }, "backup made");
      await this.#verify(newBackup, log);
    } catch (error) {
      if (!(error instanceof BackupUnderWay)) throw error;
    } finally {
      // Also after a failure, which may be of a full disk; and what is told is that failure.
      await this.#deleteOld().catch((error: unknown) => log.error({ err: error }, "old backups can't be deleted"));
    }
  }

  /** Judged by the last good one, so that neither a restart nor a lost queue skips or repeats one; a failed one is tried hourly. */
  async #isDue(): Promise<boolean> {
    const { everyHours } = this.#needs.backup;
    if (everyHours === 0) return false;
    const now = this.#needs.clock.now().getTime();
    const { good, tried } = await this.#runs.latest();
    const pause = Math.min(everyHours * HOUR_MS, HOUR_MS);
    return now - (good?.getTime() ?? 0) >= everyHours * HOUR_MS && now - (tried?.getTime() ?? 0) >= pause;
  }

  /**
   * Only where the key that opens backups is at hand, and a database to try them in; elsewhere an operator does it.
   * @throws UnreadableBackup, NotAsBackedUp for one that is none to rely on; whatever else comes between says nothing about
   * it, and the next one is tried
   */
  async #verify({ file, runId }: FinishedBackup, log: Logger): Promise<void> {
    const { backup, clock } = this.#needs;
    const { identity } = await backup.key();
    const { verified } = await this.#runs.latest();
    const now = clock.now();
    if (identity === null || runId === null) return;
    if (verified && now.getTime() - verified.getTime() < VERIFY_EVERY_MS) return;
    try {
      const { findings } = await tryBackup(file, identity, backup);
      if (findings.length === 0) await this.#runs.verified(runId, clock.now());
      // It was so when it was backed up: the backup is as good as what it is of.
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

  /** Only files that this system made here and remembers; a directory may hold others too. */
  async #deleteOld(): Promise<void> {
    const { directory, keep } = this.#needs.backup;
    const here = (await this.#runs.kept()).filter(({ file }) => resolve(dirname(file)) === resolve(directory));
    for (const { id, file } of outlived(here, keep)) {
      await rm(file, { force: true });
      await this.#runs.dropped(id);
    }
    await removeLeftovers(directory, this.#needs.clock.now());
  }
}

/** What a killed process left of a backup that it was writing. */
async function removeLeftovers(directory: string, now: Date): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!BACKUP_NAME.test(name) || !name.endsWith(UNFINISHED)) continue;
    const path = join(directory, name);
    const { mtime } = await stat(path).catch(() => ({ mtime: now }));
    if (now.getTime() - mtime.getTime() > LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}

/**
 * Which of the backups, newest first, are kept no longer: good ones beyond the newest `keep`, but never the newest that stood
 * a trial restore; bad ones once there is a newer good one, and beyond the newest few.
 */
export function outlived(backups: readonly BackupRow[], keep: number): BackupRow[] {
  const good = backups.filter(({ error }) => error === null);
  const bad = backups.filter(({ error }) => error !== null);
  const proven = good.find(({ verifiedAt }) => verifiedAt !== null);
  const [newest] = good;
  return backups.filter((one) => {
    if (one.error !== null) {
      return bad.indexOf(one) >= MAX_BAD || (newest !== undefined && newest.startedAt > one.startedAt);
    }
    return one !== proven && good.indexOf(one) >= keep;
  });
}
