import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { prepareQueueTables } from "../queue/queue-store.ts";
import { roleNameOf } from "./database-name.ts";
import { isMigrated, MIGRATION_LOCK, migrate } from "./migrate.ts";

export interface DatabaseToPrepare {
  /** database that the server uses */
  databaseUrl: string;
  /** connection as the schema's owner, if that is another role; it is used only for the preparation */
  migrationUrl: string | undefined;
  /** the folder with `migrations/` and `grants.sql` */
  prismaDir: string;
  /** this database also stores the job queue */
  withQueue: boolean;
  /** applies the migrations instead of this process, as `migrate` does */
  migrateApart?: typeof migrate;
}

/**
 * Prepares a database for this server and returns the migrations applied, oldest first. If the schema has a separate
 * owner, the server's role is granted the rights it needs and no others. Safe to repeat, and while servers run.
 * @throws Error that says what to do if only the server's role is configured and something is missing
 */
export async function prepareDatabase(options: DatabaseToPrepare): Promise<string[]> {
  const { databaseUrl, migrationUrl, prismaDir, withQueue, migrateApart } = options;
  const migrations = join(prismaDir, "migrations");
  const apply = async (url: string): Promise<string[]> => {
    if (migrateApart === undefined) return migrate(url, migrations);
    return (await isMigrated(url, migrations)) ? [] : migrateApart(url, migrations);
  };
  if (migrationUrl === undefined) return apply(databaseUrl);
  const applied = await apply(migrationUrl);
  const client = new pg.Client({ connectionString: migrationUrl });
  await client.connect();
  try {
    if (withQueue) await prepareQueueTables(client);
    await grant(client, roleOf(databaseUrl), await readFile(join(prismaDir, "grants.sql"), "utf8"));
  } finally {
    await client.end();
  }
  return applied;
}

/**
 * Grants in one transaction, so that a running server never lacks a right, and one server at a time, because concurrent
 * changes of catalogue rows would collide.
 */
async function grant(client: pg.Client, role: string, grants: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>("SELECT current_user AS owner");
  if (rows[0]?.owner === role) return;
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  await client.query("SELECT set_config('innkey.server_role', $1, true)", [role]);
  await client.query(grants);
  await client.query("COMMIT");
}

/** @throws Error for an address without a role */
function roleOf(databaseUrl: string): string {
  const role = roleNameOf(databaseUrl);
  if (role === "")
    throw new Error("Settings are not usable:\n  DATABASE_URL: names no user, so none can be given rights");
  return role;
}
