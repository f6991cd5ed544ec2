import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeBackupKey } from "../../src/adapters/backup/backup-key.ts";
import type { BackupSetting } from "../../src/domain/compliance/backups/make-backup.ts";

/** Settings for backups into the test's directory, without a schedule and with an available key. */
export function testBackups(
  databaseUrl: string,
  dataDir: string,
  secretKey: Uint8Array,
  changed: Partial<BackupSetting> = {},
): BackupSetting {
  let key: ReturnType<typeof makeBackupKey> | undefined;
  return {
    databaseUrl,
    trialUrl: undefined,
    directory: join(dataDir, "backups"),
    everyHours: 0,
    keep: 14,
    key() {
      key ??= makeBackupKey();
      return key;
    },
    secrets: { "secret-key": Buffer.from(secretKey).toString("hex") },
    version: "0.0.0",
    migrationsDir: fileURLToPath(new URL("../../../../prisma/migrations", import.meta.url)),
    ...changed,
  };
}
