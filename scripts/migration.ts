// pnpm migration <name>           writes the SQL for changes in prisma/schema that the migrations lack
// pnpm migration <name> --empty   creates the same folder with an empty file, for SQL written by hand
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { diffToSchema, migrate } from "../apps/server/src/adapters/postgres/migrate.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const schemaDir = join(root, "prisma/schema");
const migrationsDir = join(root, "prisma/migrations");

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { empty: { type: "boolean" } },
});
const name = positionals[0];
if (!/^[a-z0-9_]+$/.test(name ?? "")) {
  console.error("Usage: pnpm migration <name_in_snake_case> [--empty]");
  process.exit(1);
}

const timestamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
const folder = `${timestamp}_${name}`;
const sql = values.empty ? "-- Say here why this cannot be said in prisma/schema.\n" : await difference();
if (sql === undefined) {
  console.log("Nothing to do: the migrations build what prisma/schema says.");
} else {
  await mkdir(join(migrationsDir, folder), { recursive: true });
  await writeFile(join(migrationsDir, folder, "migration.sql"), sql);
  await writeFile(join(migrationsDir, "migration_lock.toml"), 'provider = "postgresql"\n');
  console.log(`prisma/migrations/${folder}/migration.sql`);
  console.log("Read it: an index that only hand-written SQL knows appears as DROP INDEX, and must go out again.");
}

/** Compares the schema on a temporary PostgreSQL, so that no existing data is involved. */
async function difference(): Promise<string | undefined> {
  const dataDir = await mkdtemp(join(tmpdir(), "innkey-migration-"));
  const log = { info: () => {}, warn: console.warn };
  const database = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: "off" } });
  try {
    await migrate(database.url, migrationsDir);
    return await diffToSchema(database.url, "applied", schemaDir);
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
