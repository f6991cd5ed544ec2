import { parseArgs } from "node:util";
import { makeBackupKey, writeKeyFile } from "../adapters/backup/backup-key.ts";
import { endWith } from "./lib/command.ts";

const EXPLAINED = `The public key seals backups and opens none: set it where the server runs,
  BACKUP_RECIPIENT=`;
const KEEP = `The secret key opens every backup that is sealed so. Whoever has it and a backup reads everything; without it no backup
can be read by anybody. Keep it in two places, neither of them this server: a password manager and a sealed envelope.`;

// Creates the key pair of backups: prints it, or writes the secret key to a file with --to.
await endWith(async () => {
  const { values } = parseArgs({ options: { to: { type: "string" } } });
  const key = await makeBackupKey();
  if (values.to !== undefined) await writeKeyFile(values.to, key, new Date());
  console.log(`${EXPLAINED}${key.recipient}\n\n${KEEP}\n`);
  console.log(values.to === undefined ? key.identity : `It is in ${values.to}. Move it away from here.`);
  return 0;
});
