import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../test/harness/database.ts";
import { BACKUP_LOCK } from "./advisory-lock.ts";
import { diffToSchema, migrate } from "./migrate.ts";

const prisma = fileURLToPath(new URL("../../../../../prisma", import.meta.url));
let database: { url: string; drop(): Promise<void> };
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  const client = await connect();
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await client.end();
  folder = await mkdtemp(join(tmpdir(), "innkey-migrations-"));
  await writeFile(join(folder, "migration_lock.toml"), 'provider = "postgresql"\n');
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

async function put(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "migration.sql"), sql);
}

test("our own migrations run once, even when two servers start together", async () => {
  const dir = join(prisma, "migrations");
  const [one, two] = await Promise.all([migrate(database.url, dir), migrate(database.url, dir)]);
  expect([...one, ...two].length).toBeGreaterThan(0);
  expect(Math.min(one.length, two.length)).toBe(0);
  expect(await migrate(database.url, dir)).toEqual([]);
});

test("the migrations build every table and column that the schema names", async () => {
  await migrate(database.url, join(prisma, "migrations"));
  const difference = (await diffToSchema(database.url, "applied", join(prisma, "schema"))) ?? "";
  // Objects that exist only in hand-written SQL (indexes, defaults) may differ; tables, columns and types may not.
  expect(difference).not.toMatch(/CREATE TABLE|DROP TABLE|ADD COLUMN|DROP COLUMN|CREATE TYPE|DROP TYPE|ALTER TYPE/);
});

test("semicolons in comments and function bodies survive", async () => {
  await put(
    "1_f",
    "-- one; two\nCREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 2; END $$;",
  );
  expect(await migrate(database.url, folder)).toEqual(["1_f"]);
});

test("a failed migration leaves nothing and is tried again", async () => {
  await put("1_a", "CREATE TABLE a (i int);");
  await put("2_b", "CREATE TABLE b (i int); SELECT 1/0;");
  await expect(migrate(database.url, folder)).rejects.toThrow(/division by zero/);
  await put("2_b", "CREATE TABLE b (i int);");
  expect(await migrate(database.url, folder)).toEqual(["2_b"]);
  expect(await migrate(database.url, folder)).toEqual([]);
});

test("a database from before the first release is refused in one sentence and left unchanged", async () => {
  await put("20250101000000_old", "CREATE TABLE old (i int);");
  await migrate(database.url, folder);
  await expect(migrate(database.url, join(prisma, "migrations"))).rejects.toThrow(/from before the first release/);
  const client = await connect();
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
  await client.end();
  expect(rows).toEqual([{ tablename: "_prisma_migrations" }, { tablename: "old" }]);
});

test("a migration waits for readers of a table without blocking later readers", async () => {
  await put("1_a", "CREATE TABLE a (i int);");
  await migrate(database.url, folder);
  await put("2_b", "CREATE TABLE b (i int);");
  await put("3_a", "ALTER TABLE a ADD COLUMN j int;");
  const [reader, next] = [await connect(), await connect()];
  try {
    await reader.query("BEGIN; SELECT * FROM a");
    const migrated = migrate(database.url, folder);
    await expect.poll(() => waitingFor(next, "a"), { timeout: 10_000 }).toBe(1);
    // This would wait for ever if the migration stayed in the queue, because the reader ends only afterwards.
    await next.query("SET statement_timeout = '30s'; SELECT * FROM a");
    await reader.query("COMMIT");
    expect(await migrated).toEqual(["2_b", "3_a"]);
  } finally {
    await Promise.all([reader.end(), next.end()]);
  }
});

test("a migration waits for a running backup", async () => {
  await put("1_a", "CREATE TABLE a (i int);");
  const backup = await connect();
  try {
    await backup.query("SELECT pg_advisory_lock($1)", [BACKUP_LOCK]);
    const migrated = migrate(database.url, folder);
    await expect
      .poll(async () => {
        const waiting =
          "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted";
        return (await backup.query(waiting, [BACKUP_LOCK])).rows[0].n;
      })
      .toBe(1);
    expect((await backup.query("SELECT to_regclass('a') AS a")).rows).toEqual([{ a: null }]);
    await backup.query("SELECT pg_advisory_unlock($1)", [BACKUP_LOCK]);
    expect(await migrated).toEqual(["1_a"]);
  } finally {
    await backup.end();
  }
});

async function waitingFor(client: pg.Client, table: string): Promise<number> {
  const waiting = "SELECT count(*)::int AS n FROM pg_locks WHERE relation = $1::regclass AND NOT granted";
  return (await client.query<{ n: number }>(waiting, [table])).rows[0]?.n ?? 0;
}
