import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../src/adapters/postgres/embedded-postgres.ts";
import { migrate } from "../../src/adapters/postgres/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the migrated, empty database that every test database copies. No connection to it may stay open. */
    templateUrl: string;
  }
}

const migrationsDir = fileURLToPath(new URL("../../../../prisma/migrations", import.meta.url));

interface TestPostgres {
  url: string;
  stop(): Promise<void>;
}

/** The tiers of one run load this file separately, so they share PostgreSQL through a global. */
const shared = globalThis as typeof globalThis & { testPostgres?: { started: Promise<TestPostgres>; users: number } };

const MEMORY = "/dev/shm";
/** Several times what the databases of a run need at once */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** Returns a folder in memory, where a database is copied five times as fast, or the usual one if there is too little. */
async function scratchFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > ENOUGH_BYTES ? MEMORY : tmpdir();
}

/** Starts PostgreSQL without durability, because test databases don't outlive the run. */
async function startTestPostgres(): Promise<TestPostgres> {
  const dataDir = await mkdtemp(join(await scratchFolder(), "innkey-test-"));
  const database = await startEmbeddedPostgres({
    dataDir,
    log: { info: () => {}, warn: (message) => process.stderr.write(`${message}\n`) },
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" },
  });
  const stop = async (): Promise<void> => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(database.url, migrationsDir);
    await recordTypes(database.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: database.url, stop };
}

/** Records which types the database has, for scripts/sql-types.ts. */
async function recordTypes(url: string): Promise<void> {
  const folder = process.env.INNKEY_SQL_RECORD;
  if (!folder) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT oid::int, typname AS name, typelem::int AS element,
      typcategory = 'A' AS "isArray",
      (SELECT json_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = pg_type.oid) AS labels
      FROM pg_type`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "types"), JSON.stringify(rows));
  } finally {
    await client.end();
  }
}

/** vitest's globalSetup: starts one PostgreSQL for the whole run and stops it after the last tier that uses it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.testPostgres ??= { started: startTestPostgres(), users: 0 };
  const { testPostgres } = shared;
  testPostgres.users += 1;
  const { url, stop } = await testPostgres.started;
  project.provide("templateUrl", url);
  return async () => {
    testPostgres.users -= 1;
    if (testPostgres.users === 0) await stop();
  };
}

/** Creates an empty, migrated database by copying files, which takes about 30 ms. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const templateUrl = inject("templateUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const template = new URL(templateUrl).pathname.slice(1);
  // PostgreSQL refuses concurrent copies of one template, so we serialise them with an advisory lock.
  await administer(
    templateUrl,
    `SELECT pg_advisory_lock(1)`,
    `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`,
  );
  return {
    url: withDatabase(templateUrl, name),
    drop: () => administer(templateUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(url, "postgres") });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

export interface TestRoles {
  /** The server's role, which owns nothing */
  server: string;
  serverUrl: string;
  /** URL of the role that owns the database and everything in it */
  ownerUrl: string;
  /** Drops both roles; no connection may use them any more */
  drop(): Promise<void>;
}

/** Creates two roles for an empty test database, as in an installation: its owner and the server's role. */
export async function createTestRoles(databaseUrl: string, password: string): Promise<TestRoles> {
  const mark = randomUUID().slice(0, 8);
  const [owner, server] = [`owner_${mark}`, `server_${mark}`];
  const name = new URL(databaseUrl).pathname.slice(1);
  await asSuperuser(databaseUrl, [
    "DROP SCHEMA public CASCADE",
    `CREATE ROLE ${owner} LOGIN PASSWORD '${password}'`,
    `CREATE ROLE ${server} LOGIN PASSWORD '${password}'`,
    `ALTER DATABASE ${name} OWNER TO ${owner}`,
    // As in a new PostgreSQL database: belongs to the owner, and everyone may use it.
    "CREATE SCHEMA public AUTHORIZATION pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
  ]);
  const as = (role: string): string => {
    const url = new URL(databaseUrl);
    url.username = role;
    url.password = password;
    return url.href;
  };
  return {
    server,
    serverUrl: as(server),
    ownerUrl: as(owner),
    drop: () =>
      asSuperuser(databaseUrl, [
        `REASSIGN OWNED BY ${owner} TO CURRENT_USER`,
        `DROP OWNED BY ${owner}, ${server}`,
        `DROP ROLE ${owner}, ${server}`,
      ]),
  };
}

async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
