import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { identifier } from "./catalogue.ts";

/** All our objects in the schema, in an order in which they can be dropped; objects of an extension are left out. */
const CONTENTS = `
  WITH extension AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e')
  SELECT statement FROM (
    SELECT 1 AS turn, format('DROP %s IF EXISTS public.%I CASCADE',
        CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.relname) AS statement
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
        AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM extension)
    UNION ALL
    SELECT 2, format('DROP ROUTINE IF EXISTS public.%I(%s) CASCADE', p.proname, pg_get_function_identity_arguments(p.oid))
      FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
        AND ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM extension)
    UNION ALL
    SELECT 3, format('DROP TYPE IF EXISTS public.%I CASCADE', t.typname)
      FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('e', 'd')
        AND ('pg_type'::regclass, t.oid) NOT IN (SELECT classid, objid FROM extension)
  ) contents ORDER BY turn`;

/** Empties the schema and drops the other schemas entirely. Rights on the schema itself and extensions stay. */
export async function dropContents(client: pg.ClientBase, otherSchemas: readonly string[]): Promise<void> {
  for (const name of otherSchemas) await client.query(`DROP SCHEMA IF EXISTS ${identifier(name)} CASCADE`);
  const { rows } = await client.query<{ statement: string }>(CONTENTS);
  for (const { statement } of rows) await client.query(statement);
}

/** Source: Prisma's schema engine, sql-schema-connector, "create_migrations_table". */
const HISTORY = `CREATE TABLE public._prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/** Returns the migrations of this version, oldest first. */
export async function listMigrations(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Creates the empty tables of these migrations; the migration history is loaded with the rows. */
export async function buildSchema(
  client: pg.ClientBase,
  directory: string,
  migrations: readonly string[],
): Promise<void> {
  await client.query(HISTORY);
  for (const name of migrations) await client.query(await scriptOf(directory, name));
}

/** Applies further migrations in the caller's transaction, and records them as Prisma does. */
export async function applyMigrations(
  client: pg.ClientBase,
  directory: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const script = await scriptOf(directory, name);
    await client.query(script);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
        VALUES (gen_random_uuid()::text, $1, clock_timestamp(), $2, 1)`,
      [createHash("sha256").update(script).digest("hex"), name],
    );
  }
}

const scriptOf = (directory: string, name: string): Promise<string> =>
  readFile(join(directory, name, "migration.sql"), "utf8");
