import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openStores } from "../adapters/storage/stores.ts";
import { type Config, loadConfig } from "../config.ts";
import { type BackupRuns, type FinishedBackup, makeBackup } from "../domain/compliance/backups/make-backup.ts";
import { tryBackup } from "../domain/compliance/backups/restore-backup.ts";
import { backupKeyFile, backupSettings } from "../installation.ts";
import { counted, identityAt, megabytes, printTrial } from "./lib/backups.ts";
import { endWith, locateDatabase, withBackupRuns } from "./lib/command.ts";

const root = join(import.meta.dirname, "../../../..");

const OPTIONS = {
  /** A directory other than BACKUP_DIR */
  to: { type: "string" },
  verify: { type: "boolean", default: false },
  /** File of the secret key, to verify a backup if only the public key is set */
  key: { type: "string" },
} as const;

const KEY_CREATED = (file: string): string => `
  A key was made for it: ${file}
  Only this key opens your backups. Copy it to a place away from this server now: when the server is lost, a key that was
  only on it is lost too, and no backup can be read by anybody.`;

// Makes a backup of everything, with or without a running server; --verify makes a trial restore.
await endWith(async () => {
  const { values } = parseArgs({ options: OPTIONS });
  const config = loadConfig(process.env, []);
  const database = await locateDatabase(config, { share: true });
  try {
    return await withBackupRuns(database.url, async (runs) => {
      const ownKey = config.backup.recipient === undefined;
      const keyIsNew = ownKey && !existsSync(backupKeyFile(config));
      const result = await make(config, database.url, runs, values.to);
      if (keyIsNew) console.log(KEY_CREATED(backupKeyFile(config)));
      if (!values.verify) return 0;
      return await verify(result, await readTrialIdentity(config, values.key), { config, url: database.url, runs });
    });
  } finally {
    await database.close();
  }
});

async function make(
  config: Config,
  url: string,
  runs: BackupRuns | null,
  to: string | undefined,
): Promise<FinishedBackup> {
  const settings = backupSettings(config, root, url);
  if (to !== undefined) settings.directory = resolve(to);
  const began = performance.now();
  const backup = await makeBackup({ settings, files: openStores(config).storage, runs, now: () => new Date() });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${backup.file}\n  ${megabytes(backup.bytes)}, ${counted(backup.rows, "row")}, ${counted(backup.files, "file")}, in ${seconds} s`,
  );
  if (backup.gone > 0) console.log(`  ${counted(backup.gone, "file was", "files were")} erased while it was made.`);
  return backup;
}

/**
 * Returns the secret key (age calls it the identity) that opens the backup, from `requestedPath` or the installation's
 * key file. @throws Error if neither exists
 */
async function readTrialIdentity(config: Config, requestedPath: string | undefined): Promise<string> {
  if (requestedPath === undefined && config.backup.recipient !== undefined && !existsSync(backupKeyFile(config))) {
    throw new Error("The backup is made. To verify it, the secret key is needed: --key <file>.");
  }
  return identityAt(config, requestedPath);
}

async function verify(
  { file, runId }: FinishedBackup,
  identity: string,
  { config, url, runs }: { config: Config; url: string; runs: BackupRuns | null },
): Promise<number> {
  const tried = await tryBackup(file, identity, backupSettings(config, root, url));
  if (runId !== null && tried.findings.length === 0) await runs?.markVerified(runId, new Date());
  return printTrial(tried);
}
