import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupKey, keyFileText, makeBackupKey, readKeyFile } from "./adapters/backup/backup-key.ts";
import type { Relay } from "./adapters/events/relay.ts";
import type { Database } from "./adapters/postgres/client.ts";
import type { Watch } from "./adapters/postgres/watch.ts";
import type { JobQueue, QueueView } from "./adapters/queue/queue.ts";
import type { Stores } from "./adapters/storage/stores.ts";
import { writeOnce } from "./adapters/storage/write-once.ts";
import type { Config } from "./config.ts";
import { PREVIOUS_KEYS, SECRET_KEY } from "./domain/compliance/backups/invariants.ts";
import type { BackupSettings } from "./domain/compliance/backups/make-backup.ts";
import type { Installation } from "./domain/overview/system/installation.ts";

interface Started {
  root: string;
  database: Database;
  watch: Watch;
  queue: JobQueue & QueueView;
  relay: Relay;
  bucket: Stores["bucket"];
}

const BUILD_LETTERS = 12;

/** Describes this process and its environment, for monitoring. */
export function installationOf(config: Config, { root, database, bucket, ...started }: Started): Installation {
  return {
    id: randomUUID(),
    role: config.role,
    ...versionIn(root),
    ...started,
    pool: database.pool,
    queueStore: config.redisUrl === undefined ? "postgresql" : "redis",
    dataDir: config.dataDir,
    bucket: bucket && { name: config.s3?.bucket ?? "", exists: () => bucket.bucketExists() },
    publicUrl: config.publicUrl,
    backupEveryHours: config.backup.everyHours,
    senders: { mail: config.smtpUrl !== undefined, sms: config.smsWebhookUrl !== undefined },
  };
}

/** Returns the release and the build: a hash of everything that was built. */
export function versionIn(root: string): { version: string; build: string } {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const stamp = join(root, "apps/server/dist/.stamp");
  return { version, build: existsSync(stamp) ? readFileSync(stamp, "utf8").trim().slice(0, BUILD_LETTERS) : "" };
}

/** Secrets stored as files in the data directory; backups contain them under the same names. */
export const SECRET_FILES = ["legacy-key", "demo-password"] as const;
/** Name in a backup of the compatibility layer's ciphers, if they were set from outside. */
export const LEGACY_SETTINGS = "legacy-settings";

export const backupKeyFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "backup-key");

/** Returns the settings of this installation's backups. `databaseUrl` names the role that makes them. */
export function backupSettings(config: Config, root: string, databaseUrl: string): BackupSettings {
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
  if (!existsSync(file)) writeOnce(file, keyFileText(await makeBackupKey(), new Date()));
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
