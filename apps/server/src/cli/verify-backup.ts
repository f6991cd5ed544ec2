import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "../config.ts";
import { tryBackup } from "../domain/compliance/backups/restore-backup.ts";
import { backupSettings } from "../installation.ts";
import { identityAt, printTrial } from "./lib/backups.ts";
import { endWith, locateDatabase, withBackupRuns } from "./lib/command.ts";

const root = join(import.meta.dirname, "../../../..");

const USAGE = `Restores a backup for a try, into a database of its own where nothing of it stays, and says what it holds.
  verify-backup <file> [--key <key file>]     the key may be left out where DATA_DIR/backup-key is the one
Beside a running server or anywhere else: with DATABASE_URL there (and BACKUP_VERIFY_DATABASE_URL where its role may make no
database), else with the PostgreSQL inside.`;

await endWith(async () => {
  const { values, positionals } = parseArgs({ options: { key: { type: "string" } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    console.error(USAGE);
    return 2;
  }
  const config = loadConfig(process.env, []);
  const identity = await identityAt(config, values.key);
  const database = await locateDatabase(config, { share: true });
  try {
    const tried = await tryBackup(file, identity, backupSettings(config, root, database.url));
    await withBackupRuns(database.url, async (runs) => {
      const run = (await runs?.listWithFile())?.find((one) => resolve(one.file) === resolve(file));
      if (run && tried.findings.length === 0) await runs?.markVerified(run.id, new Date());
    });
    return printTrial(tried);
  } finally {
    await database.close();
  }
});
