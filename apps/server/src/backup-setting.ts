import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { type BackupKey, makeBackupKey, readKeyFile, writeKeyFile } from "./infra/backup/backup-key.ts";
import { versionIn } from "./installation.ts";
import { PREVIOUS_KEYS, SECRET_KEY } from "./modules/backups/contents.ts";
import type { BackupSetting } from "./modules/backups/make-backup.ts";

/** Secrets that are files of the data directory, and keep their names in a backup. */
export const SECRET_FILES = ["legacy-key", "demo-password"] as const;
/** What old clients are configured with, where it was set from outside. */
export const LEGACY_SETTINGS = "legacy-settings";

export const backupKeyFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "backup-key");

/** What backups of this installation are made of. `databaseUrl` is whose rights they are made with. */
export function backupSetting(config: Config, root: string, databaseUrl: string): BackupSetting {
  const { directory, everyHours, keep, trialUrl } = config.backup;
  return {
    databaseUrl,
    trialUrl,
    directory,
    everyHours,
    keep,
    key: () => backupKey(config),
    secrets: secretsToKeep(config),
    version: versionIn(root).version,
    migrationsDir: join(root, "prisma/migrations"),
  };
}

/** The key that was set, whose other half is elsewhere; or one of this installation's own, made when it is first asked for. */
async function backupKey(config: Config): Promise<BackupKey> {
  const { recipient } = config.backup;
  const file = backupKeyFile(config);
  if (recipient !== undefined) {
    const keyFile = existsSync(file) ? await readKeyFile(file) : null;
    return { recipient, identity: keyFile?.recipient === recipient ? keyFile.identity : null };
  }
  if (!existsSync(file)) await writeKeyFile(file, await makeBackupKey(), new Date());
  return readKeyFile(file);
}

/** Whoever has these and the rows opens the same doors. */
function secretsToKeep({ dataDir, secretKey, previousSecretKeys, legacyCiphers }: Config): Record<string, string> {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
  const secrets: Record<string, string> = { [SECRET_KEY]: hex(secretKey) };
  if (previousSecretKeys.length > 0) secrets[PREVIOUS_KEYS] = previousSecretKeys.map(hex).join(",");
  for (const name of SECRET_FILES) {
    const path = join(dataDir, name);
    if (existsSync(path)) secrets[name] = readFileSync(path, "utf8");
  }
  if (legacyCiphers) {
    const setting = (name: string, values: string[]): string => `LEGACY_${name}=${values.join(",")}\n`;
    secrets[LEGACY_SETTINGS] =
      setting(
        "CIPHER",
        legacyCiphers.map(({ name }) => name),
      ) +
      setting(
        "KEY",
        legacyCiphers.map(({ key }) => hex(key)),
      ) +
      setting(
        "IV",
        legacyCiphers.map(({ iv }) => hex(iv)),
      );
  }
  return secrets;
}
