import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stdin } from "node:process";
import { createInterface } from "node:readline/promises";
import { Redis } from "ioredis";
import pg from "pg";
import { readKeyFile } from "../../adapters/backup/backup-key.ts";
import { RestoreRefused } from "../../adapters/backup/load.ts";
import type { Config } from "../../config.ts";
import { PREVIOUS_KEYS, SECRET_KEY } from "../../domain/compliance/backups/invariants.ts";
import type { TriedBackup } from "../../domain/compliance/backups/restore-backup.ts";
import { backupKeyFile, LEGACY_SETTINGS, SECRET_FILES } from "../../installation.ts";

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
export function printTrial({ createdAt, version, rows, tables, files, gone: goneIds, findings }: TriedBackup): number {
  console.log(`Made ${createdAt.toISOString()} by Innkey ${version}.`);
  console.log(
    `Restored for a try: ${counted(rows, "row")} in ${counted(tables, "table")}, each table the same as it was backed up; ${counted(files, "file")}.`,
  );
  if (goneIds.length > 0) console.log(`${counted(goneIds.length, "file was", "files were")} erased while it was made.`);
  for (const finding of findings) console.error(`WRONG  ${finding}`);
  if (findings.length > 0) return 1;
  console.log("Audit logs are whole, money sums to zero, and its secrets decrypt its encrypted values.");
  return 0;
}

type SecretFiles = ReadonlyMap<string, string>;

const OTHER_KEY = `The backup was made with another SECRET_KEY than the one that is set here: codes, card keys and documents would
be unreadable. Set SECRET_KEY to that of the system that was backed up, or name it in SECRET_KEY_PREVIOUS; --secrets-to
<directory> takes it out of the backup. Nothing was changed.`;

/** @throws RestoreRefused if this installation's own keys couldn't decrypt the restored rows */
export function requireSameKey(config: Config, secrets: SecretFiles): void {
  if (config.secretKeyFile !== undefined) return;
  const open = [config.secretKey, ...config.previousSecretKeys].map((key) => key.toString("hex"));
  if (!open.includes(secrets.get(SECRET_KEY)?.toLowerCase() ?? "")) throw new RestoreRefused(OTHER_KEY);
}

/** Writes the secret files where the server reads them; an existing file is renamed and stays beside it. */
export async function restoreSecretFiles(config: Config, secrets: SecretFiles, at: Date): Promise<void> {
  if (config.secretKeyFile !== undefined) await writeSecret(config.secretKeyFile, secrets.get(SECRET_KEY), at);
  for (const name of SECRET_FILES) await writeSecret(join(config.dataDir, name), secrets.get(name), at);
}

/** Writes all secrets of a backup as files. @throws RestoreRefused if one exists already, unless `replace` */
export async function writeSecrets(directory: string, secrets: SecretFiles, replace: boolean): Promise<string[]> {
  const paths = [...secrets].map(([name, text]) => ({ path: join(directory, name), text }));
  const existing = paths.find(({ path }) => existsSync(path));
  if (existing && !replace)
    throw new RestoreRefused(`${existing.path} exists already; with --replace it is overwritten.`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const { path, text } of paths) await write(path, text);
  return paths.map(({ path }) => path);
}

/** Returns lines about settings that the operator must restore by hand, because they are set from outside. */
export function settingsToCompare(config: Config, secrets: SecretFiles): string[] {
  const lines: string[] = [];
  const previous = secrets.get(PREVIOUS_KEYS)?.split(",") ?? [];
  const previousKeys = [config.secretKey, ...config.previousSecretKeys].map((key) => key.toString("hex"));
  if (previous.some((key) => !previousKeys.includes(key))) {
    lines.push(
      "The backup was made while keys were being changed: set SECRET_KEY_PREVIOUS as it was, then npm run rotate-keys.",
    );
  }
  if (secrets.has(LEGACY_SETTINGS) && !secrets.has("legacy-key")) {
    lines.push("Old clients were let in with LEGACY_CIPHER, LEGACY_KEY and LEGACY_IV: set them as they were.");
  }
  if (lines.length > 0) lines.push("--secrets-to <directory> takes these out of the backup.");
  return lines;
}

async function writeSecret(path: string, text: string | undefined, at: Date): Promise<void> {
  if (text === undefined) return;
  if (existsSync(path)) {
    if (readFileSync(path, "utf8").trim() === text.trim()) return;
    await rename(path, `${path}.before-${at.toISOString().replace(/[-:]|\.\d+/g, "")}`);
  }
  await write(path, text);
}

async function write(path: string, text: string): Promise<void> {
  const unfinished = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** Prefix of all our keys (adapters/queue/queue-store.ts). */
const KEY_PATTERN = "innkey:*";
const SCAN_COUNT = 1000;

/**
 * Deletes the jobs in Redis, because they refer to replaced rows. Outstanding work is stored in the rows, where the
 * next sweeps find it.
 */
export async function emptyQueue(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  redis.on("error", () => undefined); // The next command throws this error
  try {
    for await (const keys of redis.scanStream({ match: KEY_PATTERN, count: SCAN_COUNT }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}

/**
 * Asks the operator to type the name of a hotel that the restore will replace; returns at once if there is none.
 * @throws RestoreRefused for any other input
 */
export async function agreeToReplace(databaseUrl: string): Promise<void> {
  const names = await hotelsIn(databaseUrl);
  if (names.length === 0) return;
  console.log(`Everything in this database is given up for the backup: ${names.join(", ")}.`);
  process.stdout.write("Type the name of a hotel in it to go on: ");
  const lines = createInterface({ input: stdin, terminal: false });
  for await (const line of lines) {
    lines.close();
    if (names.includes(line.trim())) return;
    break;
  }
  throw new RestoreRefused("That is none of them. Nothing was changed.");
}

async function hotelsIn(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "restore" });
  await client.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('public.hotel') IS NOT NULL AS exists",
    );
    if (!rows[0]?.exists) return [];
    return (await client.query<{ name: string }>("SELECT name FROM hotel ORDER BY id")).rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
