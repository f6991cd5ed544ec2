import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { generateX25519Identity, identityToRecipient } from "age-encryption";

/** What seals backups, and, where it is at hand, what opens them. */
export interface BackupKey {
  /** age public key: seals, and opens nothing */
  recipient: string;
  /** age secret key; null where it is kept elsewhere, as it should be */
  identity: string | null;
}

const SECRET_KEY = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/;

/** A new pair. Whoever loses the identity loses every backup that is sealed for it. */
export async function makeBackupKey(): Promise<BackupKey & { identity: string }> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** As `age-keygen` writes it, so that `age` itself opens a backup too. Only its owner may read it. @throws Error if it is there */
export async function writeKeyFile(path: string, { identity, recipient }: BackupKey, at: Date): Promise<void> {
  const text = `# created: ${at.toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  await writeFile(path, text, { mode: 0o600, flag: "wx" });
}

/** @throws Error for a file that isn't there or holds no age secret key */
export async function readKeyFile(path: string): Promise<BackupKey & { identity: string }> {
  if (!existsSync(path)) throw new Error(`${path}: there is no such key file.`);
  const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.trim());
  const identity = lines.find((line) => SECRET_KEY.test(line));
  if (identity === undefined) {
    throw new Error(
      `${path} holds no backup key: a line AGE-SECRET-KEY-1… is expected, as npm run backup-key writes it.`,
    );
  }
  return { identity, recipient: await identityToRecipient(identity) };
}
