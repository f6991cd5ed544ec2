import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { type CopyStreamQuery, from as copyFrom, to as copyTo } from "pg-copy-streams";
import { quietClient } from "../postgres/client.ts";
import { MIGRATION_LOCK } from "../postgres/migrate.ts";
import { type BackupHeader, damaged, measure, type TableMeasure } from "./backup-format.ts";
import { identifier, PLAIN_TEXT, readingCopy, tablesOf, writingCopy } from "./catalogue.ts";
import { fileOf, type Inspected, tableOf } from "./inspect.ts";
import { readSealed } from "./sealed-tar.ts";

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
async function dropContents(client: pg.ClientBase, otherSchemas: readonly string[]): Promise<void> {
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
async function buildSchema(client: pg.ClientBase, directory: string, migrations: readonly string[]): Promise<void> {
  await client.query(HISTORY);
  for (const name of migrations) await client.query(await scriptOf(directory, name));
}

/** Applies further migrations in the caller's transaction, and records them as Prisma does. */
async function applyMigrations(client: pg.ClientBase, directory: string, names: readonly string[]): Promise<void> {
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

interface Statements {
  before: string;
  after: string;
}

/**
 * Foreign keys, triggers and indexes without a constraint: they prevent loading rows in any order, or slow down loading
 * millions of them, and triggers would reject or repeat old changes. The table's owner may drop them; no superuser is
 * needed.
 */
const LOADING_OBSTACLES = `
  SELECT before, after FROM (
    SELECT 1 AS turn, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS before,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS after
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
    UNION ALL
    SELECT 2, format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
        AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT DISTINCT 3, format('ALTER TABLE %s DISABLE TRIGGER USER', tgrelid::regclass),
      format('ALTER TABLE %s ENABLE TRIGGER USER', tgrelid::regclass)
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace
  ) obstacles ORDER BY turn`;

/** Drops these objects, runs `load` and creates them again; the foreign keys are then checked over all rows. */
async function withoutObstacles(client: pg.ClientBase, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<Statements>(LOADING_OBSTACLES);
  for (const { before } of rows) await client.query(before);
  await load();
  // Foreign keys depend on unique indexes, so they were dropped first and are created last.
  for (const { after } of rows.reverse()) await client.query(after);
}

interface LoadTarget {
  /** connection as a role that owns the database's schema */
  databaseUrl: string;
  migrationsDir: string;
  /** existing data may be replaced */
  replace: boolean;
  /** false: everything is done in the transaction and then rolled back, so that even a kill leaves nothing behind */
  keep: boolean;
  /** tables whose rows do not count as existing data */
  ignoredTables: readonly string[];
  /** schemas with data that depends on the old rows */
  otherSchemas: readonly string[];
  /** stores each file; files stay stored even if the restore then fails */
  writeFile(id: string, bytes: Buffer): Promise<void>;
  /** checks further conditions on the rows and returns those that fail */
  check(client: pg.ClientBase): Promise<string[]>;
}

/** The target must not be restored into; the message tells the operator why. */
export class RestoreRefused extends Error {}

/** The loaded rows differ from those that were backed up, so the backup can't be relied on. */
export class NotAsBackedUp extends Error {}

/** Time limit for waiting for a lock: we report an error rather than wait for a forgotten session. */
const LOCK_WAIT = "15s";
const CONNECT_MS = 10_000;

/**
 * Restores an inspected backup: creates the tables with the backup's migrations, loads its rows, then applies this
 * version's later migrations. Everything is one transaction, so the target is either unchanged or completely restored.
 * Before the commit, every table is read again and compared with the manifest. Servers that start meanwhile wait for
 * the end. Returns what `check` found: an error that existed at the time of the backup is no reason to lose the rest.
 * @throws RestoreRefused, UnreadableBackup, NotAsBackedUp
 */
export async function loadBackup(
  path: string,
  identity: string,
  inspected: Inspected,
  target: LoadTarget,
): Promise<string[]> {
  const later = await laterMigrations(inspected.header, target.migrationsDir);
  const client = quietClient({
    connectionString: target.databaseUrl,
    application_name: "innkey restore",
    connectionTimeoutMillis: CONNECT_MS,
  });

  await client.connect();
  try {
    await client.query(`BEGIN; ${PLAIN_TEXT}; SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await requireNoServer(client);
    if (!target.replace) await requireNoRows(client, target.ignoredTables);
    await dropContents(client, target.otherSchemas);
    await buildSchema(client, target.migrationsDir, inspected.header.migrations);
    await withoutObstacles(client, () => loadRows(client, path, identity, inspected.header, target));
    await restoreSequences(client, inspected.header);
    await client.query("ANALYZE");
    await compareRows(client, inspected.manifest.tables);
    const findings = await target.check(client);
    await applyMigrations(client, target.migrationsDir, later);
    await (target.keep ? client.query("COMMIT") : rollBack(client));
    return findings;
  } finally {
    await client.end();
  }
}

/** Rolls back, after the checks that a commit would run. */
async function rollBack(client: pg.Client): Promise<void> {
  await client.query("SET CONSTRAINTS ALL IMMEDIATE");
  await client.query("ROLLBACK");
}

/** @throws RestoreRefused for a backup of an unreleased version, or with migrations that this version does not know */
async function laterMigrations({ migrations, version }: BackupHeader, directory: string): Promise<string[]> {
  const expected = await listMigrations(directory);
  if (expected[0] !== undefined && !migrations.includes(expected[0])) {
    throw new RestoreRefused(
      `The backup was made by a version from before the first release (${version}), which can't be restored.`,
    );
  }
  const unknown = migrations.filter((name) => !expected.includes(name));
  if (unknown.length > 0) {
    throw new RestoreRefused(
      `The backup was made by a newer Innkey (${version}): this one does not know ${unknown.join(", ")}. Restore it with that version.`,
    );
  }
  return expected.filter((name) => !migrations.includes(name));
}

/** @throws RestoreRefused while a server is connected to this database */
async function requireNoServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'innkey%'`,
  );
  if (rows.length > 0) throw new RestoreRefused("A server is running on this database. Stop every one of them first.");
}

/** @throws RestoreRefused if a table has rows, other than `ignoredTables` */
async function requireNoRows(client: pg.Client, ignoredTables: readonly string[]): Promise<void> {
  for (const { name } of await tablesOf(client)) {
    if (name === "_prisma_migrations" || ignoredTables.includes(name)) continue;
    const { rowCount } = await client.query(`SELECT FROM public.${identifier(name)} LIMIT 1`);
    if (rowCount === 0) continue;
    throw new RestoreRefused("The database is not empty. With --replace everything in it is replaced by the backup.");
  }
}

/** Loads rows into tables and passes files to `writeFile`, in the order of the backup. */
async function loadRows(
  client: pg.Client,
  path: string,
  identity: string,
  { tables }: BackupHeader,
  { writeFile }: LoadTarget,
): Promise<void> {
  let open: { name: string; copy: OpenCopy } | undefined;
  for await (const entry of readSealed(path, identity)) {
    const [name, file] = [tableOf(entry), fileOf(entry)];
    if (open && open.name !== name) {
      await open.copy.end();
      open = undefined;
    }
    if (name !== null) {
      const table = tables.find((one) => one.name === name);
      if (!table) throw damaged();
      open ??= { name, copy: new OpenCopy(client, writingCopy(table)) };
      await open.copy.write(entry.bytes);
    } else if (file !== null) await writeFile(file, entry.bytes);
  }
  await open?.copy.end();
}

class OpenCopy {
  readonly #stream: CopyStreamQuery;
  readonly #ended: Promise<void>;

  constructor(client: pg.Client, statement: string) {
    this.#stream = client.query(copyFrom(statement));
    this.#ended = finished(this.#stream);
    this.#ended.catch(() => undefined); // the next write or the end throws it
  }

  async write(bytes: Buffer): Promise<void> {
    if (!this.#stream.write(bytes)) await Promise.race([once(this.#stream, "drain"), this.#ended]);
  }

  async end(): Promise<void> {
    this.#stream.end();
    await this.#ended;
  }
}

async function restoreSequences(client: pg.Client, { sequences }: BackupHeader): Promise<void> {
  for (const { name, last } of sequences) {
    if (last !== null) await client.query("SELECT setval($1::regclass, $2)", [`public.${identifier(name)}`, last]);
  }
}

/**
 * Reads every table as the backup did and compares it with what was backed up.
 * @throws NotAsBackedUp for a table that is not identical byte by byte
 */
async function compareRows(client: pg.Client, expected: readonly TableMeasure[]): Promise<void> {
  const tables = await tablesOf(client);
  for (const { name, rows, bytes, sha256 } of expected) {
    const table = tables.find((one) => one.name === name);
    if (!table) throw damaged();
    const measured = measure();
    for await (const chunk of client.query(copyTo(readingCopy(table))) as AsyncIterable<Buffer>) measured.add(chunk);
    const measurement = measured.result();
    if (measurement.lines !== rows || measurement.bytes !== bytes || measurement.sha256 !== sha256) {
      throw new NotAsBackedUp(
        `After loading, the table ${name} is not what was backed up (${measurement.lines} of ${rows} rows).`,
      );
    }
  }
}
