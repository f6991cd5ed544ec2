import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RestoreRefused } from "./adapters/backup/load.ts";
import { LEGACY_SETTINGS, SECRET_FILES } from "./backup-setting.ts";
import type { Config } from "./config.ts";
import { PREVIOUS_KEYS, SECRET_KEY } from "./domain/compliance/backups/invariants.ts";

type SecretFiles = ReadonlyMap<string, string>;

const OTHER_KEY = `The backup is sealed with another SECRET_KEY than the one that is set here: codes, card keys and documents would
stay closed. Set SECRET_KEY to that of the system that was backed up, or name it in SECRET_KEY_PREVIOUS; --secrets-to
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
  const there = paths.find(({ path }) => existsSync(path));
  if (there && !replace) throw new RestoreRefused(`${there.path} is there already; with --replace it is overwritten.`);
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
