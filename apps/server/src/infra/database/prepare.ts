import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { prepareQueueTables } from "../queue-tables.ts";
import { roleNameOf } from "./database-name.ts";
import { MIGRATION_LOCK, migrate } from "./migrate.ts";

export interface DatabaseToPrepare {
  /** what the server works with */
  databaseUrl: string;
  /** the owner of the schema, where that is another role; its rights end here */
  migrationUrl: string | undefined;
  /** the folder with `migrations/` and `grants.sql` */
  prismaDir: string;
  /** jobs are kept in this database too */
  withQueue: boolean;
}

/**
 * Brings a database to what this server needs and returns the migrations applied, oldest first. With an owner of its own
 * the server's role is then given what it needs and nothing else; safe to repeat, and beside running servers.
 * @throws Error that says what to do when the server's role alone is given and something is missing
 */
export async function prepareDatabase(options: DatabaseToPrepare): Promise<string[]> {
  const { databaseUrl, migrationUrl, prismaDir, withQueue } = options;
  const migrations = join(prismaDir, "migrations");
  if (migrationUrl === undefined) return migrate(databaseUrl, migrations);
  const applied = await migrate(migrationUrl, migrations);
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

/** One transaction, so that a running server never misses a right; one at a time, or rows of the catalogue would collide. */
async function grant(client: pg.Client, role: string, grants: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>("SELECT current_user AS owner");
  if (rows[0]?.owner === role) return;
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
  await client.query("SELECT set_config('innkey.server_role', $1, true)", [role]);
  await client.query(grants);
  await client.query("COMMIT");
}

/** @throws Error for an address that names no role */
function roleOf(databaseUrl: string): string {
  const role = roleNameOf(databaseUrl);
  if (role === "")
    throw new Error("Settings are not usable:\n  DATABASE_URL: names no user, so none can be given rights");
  return role;
}
