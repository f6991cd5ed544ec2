import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";

/**
 * Key pair of backups: whatever is encrypted with the public key (age calls it the recipient) is decrypted with the secret
 * key (the identity), which a server that only makes backups need not have.
 */
export interface BackupKey {
  /** age public key: encrypts, cannot decrypt */
  recipient: string;
  /** age secret key; null if it is stored elsewhere, as it should be */
  identity: string | null;
}

const SECRET_KEY = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/;

/** Generates a key pair. If the identity is lost, every backup encrypted for it is lost. */
export async function makeBackupKey(): Promise<BackupKey & { identity: string }> {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Returns the text of a key file in the format of `age-keygen`, so that `age` itself can decrypt a backup too. */
export function keyFileText({ identity, recipient }: BackupKey, at: Date): string {
  return `# created: ${at.toISOString()}\n# public key: ${recipient}\n${identity}\n`;
}

/** Writes a key file that only its owner may read. @throws Error if the file exists already */
export async function writeKeyFile(path: string, key: BackupKey, at: Date): Promise<void> {
  await writeFile(path, keyFileText(key, at), { mode: 0o600, flag: "wx" });
}

/** @throws Error for a file that doesn't exist or contains no age secret key */
export async function readKeyFile(path: string): Promise<BackupKey & { identity: string }> {
  if (!existsSync(path)) throw new Error(`${path}: there is no such key file.`);
  const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.trim());
  const identity = lines.find((line) => SECRET_KEY.test(line));
  if (identity === undefined) {
    throw new Error(
      `${path} holds no backup key: a line AGE-SECRET-KEY-1… is expected, as npm run backup-key writes it.`,
    );
  }
  const { identityToRecipient } = await import("age-encryption");
  return { identity, recipient: await identityToRecipient(identity) };
}
