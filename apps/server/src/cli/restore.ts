import { join } from "node:path";
import { parseArgs } from "node:util";
import { readKeyFile } from "../adapters/backup/backup-key.ts";
import { inspectBackup } from "../adapters/backup/inspect.ts";
import { prepareDatabase } from "../adapters/postgres/prepare.ts";
import { QUEUE_SCHEMA } from "../adapters/queue/queue-store.ts";
import { openStores } from "../adapters/storage/stores.ts";
import { type Config, loadConfig } from "../config.ts";
import { type Restored, restoreBackup } from "../domain/compliance/backups/restore-backup.ts";
import { backupKeyFile } from "../installation.ts";
import {
  agreeToReplace,
  counted,
  emptyQueue,
  requireSameKey,
  restoreSecretFiles,
  settingsToCompare,
  writeSecrets,
} from "./lib/backups.ts";
import { endWith, type LocatedDatabase, locateDatabase } from "./lib/command.ts";

const root = join(import.meta.dirname, "../../../..");

const USAGE = `Restores a backup. Stop every server first; the database must be empty.
  restore <file> --key <key file>     the key may be left out where DATA_DIR/backup-key is the one
  --replace                           what is in the database is given up for the backup; asks first
  --yes                               doesn't ask
  --secrets-to <directory>            takes only the secrets out of the backup, as files`;

const OPTIONS = {
  key: { type: "string" },
  replace: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  "secrets-to": { type: "string" },
} as const;

type Values = { key?: string; replace: boolean; yes: boolean; "secrets-to"?: string };

await endWith(async () => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    console.error(USAGE);
    return 2;
  }
  return values["secrets-to"] === undefined
    ? restoreAll(file, values)
    : secretsOnly(file, values["secrets-to"], values);
});

/** Needs neither settings nor a database, because it is used to restore the settings. */
async function secretsOnly(file: string, directory: string, { key, replace }: Values): Promise<number> {
  if (key === undefined) throw new Error("--secrets-to needs --key <key file>.");
  const { identity } = await readKeyFile(key);
  const { secrets } = await inspectBackup(file, identity);
  for (const path of await writeSecrets(directory, secrets, replace)) console.log(path);
  return 0;
}

async function restoreAll(file: string, { key, replace, yes }: Values): Promise<number> {
  const config = loadConfig(process.env, []);
  const { identity } = await readKeyFile(key ?? backupKeyFile(config));
  const database = await locateDatabase(config, { share: false });
  try {
    const restored = await restoreBackup(file, identity, {
      databaseUrl: database.url,
      migrationsDir: join(root, "prisma/migrations"),
      storage: openStores(config).storage,
      replace,
      otherSchemas: [QUEUE_SCHEMA],
      async accept({ secrets }) {
        requireSameKey(config, secrets);
        if (replace && !yes) await agreeToReplace(database.url);
      },
    });
    await restoreSecretFiles(config, restored.backup.secrets, new Date());
    await prepare(config, database);
    printRestore(restored, settingsToCompare(config, restored.backup.secrets));
    return 0;
  } finally {
    await database.close();
  }
}

/**
 * Gives the server's role its rights on the restored tables, and empties the queue, whose jobs refer to replaced rows.
 */
async function prepare(config: Config, { serverUrl, url }: LocatedDatabase): Promise<void> {
  await prepareDatabase({
    databaseUrl: serverUrl,
    migrationUrl: url === serverUrl ? undefined : url,
    prismaDir: join(root, "prisma"),
    withQueue: config.redisUrl === undefined,
  });
  if (config.redisUrl !== undefined) await emptyQueue(config.redisUrl);
}

function printRestore({ backup: { header, manifest }, erased, findings }: Restored, settings: readonly string[]): void {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`Restored as of ${header.createdAt}: ${counted(rows, "row")}, ${counted(manifest.files.count, "file")}.`);
  if (erased > 0)
    console.log(`${counted(erased, "picture")} of what was replaced ${erased === 1 ? "is" : "are"} erased.`);
  for (const finding of findings) console.error(`It was so when it was backed up: ${finding}`);
  for (const line of settings) console.error(line);
  console.log(
    "Start the server. What happened at doors and desks since then is not in it: docs/operators/backup.md says what to look at.",
  );
}
