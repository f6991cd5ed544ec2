import { readKeyFile } from "../../adapters/backup/backup-key.ts";
import { backupKeyFile } from "../../backup-setting.ts";
import type { Config } from "../../config.ts";
import type { TriedBackup } from "../../domain/compliance/backups/try-backup.ts";

const MEGABYTE = 1_000_000;

export const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
export const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

/**
 * Returns the secret key from the given file, or from the data directory. @throws Error that explains how to name one
 */
export async function identityAt(config: Pick<Config, "dataDir">, keyPath: string | undefined): Promise<string> {
  const file = keyPath ?? backupKeyFile(config);
  return (await readKeyFile(file)).identity;
}

/** Prints the result of a trial restore; returns 1 if the backup isn't reliable. */
export function printTrial({ createdAt, version, rows, tables, files, gone: missing, findings }: TriedBackup): number {
  console.log(`Made ${createdAt.toISOString()} by Innkey ${version}.`);
  console.log(
    `Restored for a try: ${counted(rows, "row")} in ${counted(tables, "table")}, each table the same as it was backed up; ${counted(files, "file")}.`,
  );
  if (missing.length > 0) console.log(`${counted(missing.length, "file was", "files were")} erased while it was made.`);
  for (const finding of findings) console.error(`WRONG  ${finding}`);
  if (findings.length > 0) return 1;
  console.log("Journals are whole, money sums to zero, and the secrets in it open what is sealed.");
  return 0;
}
