import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupKey, makeBackupKey, readKeyFile, writeKeyFile } from "./adapters/backup/backup-key.ts";
import type { Config } from "./config.ts";
import { PREVIOUS_KEYS, SECRET_KEY } from "./domain/compliance/backups/invariants.ts";
import type { BackupSetting } from "./domain/compliance/backups/make-backup.ts";
import { versionIn } from "./installation.ts";

/** Secrets stored as files in the data directory; backups contain them under the same names. */
export const SECRET_FILES = ["legacy-key", "demo-password"] as const;
/** Name in a backup of the compatibility layer's ciphers, if they were set from outside. */
export const LEGACY_SETTINGS = "legacy-settings";

export const backupKeyFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "backup-key");

/** Returns the settings of this installation's backups. `databaseUrl` names the role that makes them. */
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

/**
 * Returns the configured public key, whose secret key is stored elsewhere, or this installation's own key pair,
 * created on first use.
 */
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

/** Returns the secrets for a backup. Anyone with these and the rows can open the same doors. */
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
