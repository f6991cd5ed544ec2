import { chmod, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { startEmbeddedPostgres } from "../../src/adapters/postgres/embedded-postgres.ts";
import { migrate } from "../../src/adapters/postgres/migrate.ts";
import { createJobQueue, type Job } from "../../src/adapters/queue/queue.ts";
import { ServerProcess } from "../processes/cluster.ts";

/** The built server on its own PostgreSQL, in a data directory whose tables are older than the server's role. */
const MIGRATIONS = fileURLToPath(new URL("../../../../prisma/migrations", import.meta.url));
const log = { info: () => {}, warn: () => {} };
let dataDir: string;
let server: ServerProcess;
let owner: pg.Client;
/** The role of the server's connections */
let role: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "innkey-role-"));
  const before = await startEmbeddedPostgres({ dataDir, log });
  await migrate(before.url, MIGRATIONS);
  const client = new pg.Client(before.url);
  await client.connect();
  await client.query("DROP ROLE IF EXISTS innkey_server");
  await client.end();
  await before.stop();
  await chmod(dataDir, 0o755);
  await mkdir(join(dataDir, "backups"), { mode: 0o755 });

  server = await ServerProcess.start({ DATA_DIR: dataDir, MQTT_PORT: "0" });
  owner = new pg.Client((await startEmbeddedPostgres({ dataDir, log, share: true })).url);
  await owner.connect();
  const { rows } = await owner.query<{ role: string }>(
    `SELECT DISTINCT usename AS role FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  expect(rows.length).toBe(1);
  role = rows[0]?.role ?? "";
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs a statement as the server's role and rolls it back. Returns PostgreSQL's error, or null if it is allowed. */
async function refusal(statement: string): Promise<string | null> {
  await owner.query("BEGIN");
  try {
    await owner.query(`SET LOCAL ROLE ${role}`);
    await owner.query(statement);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await owner.query("ROLLBACK");
  }
}

it("the server's role can add jobs of every kind, and they run", async () => {
  const { serverUrl } = await startEmbeddedPostgres({ dataDir, log, share: true });
  const greet: Job<{ name: string }> = { name: "test.greet", payload: z.strictObject({ name: z.string() }) };
  const queue = createJobQueue({
    databaseUrl: serverUrl,
    redisUrl: undefined,
    jobs: [greet],
    log: pino({ level: "silent" }),
  });
  const greeted: string[] = [];
  try {
    queue.define(greet, async ({ name }) => void greeted.push(name));
    queue.start();
    await queue.add(greet, { name: "ada" });
    await expect.poll(() => greeted).toEqual(["ada"]);
  } finally {
    await queue.close();
  }
}, 60_000);

it("the server is no superuser and cannot create databases or roles", async () => {
  const { rows } = await owner.query(
    "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = $1",
    [role],
  );
  const noRights = {
    rolsuper: false,
    rolcreatedb: false,
    rolcreaterole: false,
    rolreplication: false,
    rolbypassrls: false,
  };
  expect(rows).toEqual([noRights]);
  const { rows: memberships } = await owner.query(
    "SELECT FROM pg_auth_members WHERE member = (SELECT oid FROM pg_roles WHERE rolname = $1)",
    [role],
  );
  expect(memberships).toEqual([]);
});

it("the server owns nothing", async () => {
  const { rows } = await owner.query(
    `SELECT relname AS name FROM pg_class WHERE relowner = $1::regrole
      UNION ALL SELECT proname FROM pg_proc WHERE proowner = $1::regrole
      UNION ALL SELECT nspname FROM pg_namespace WHERE nspowner = $1::regrole
      UNION ALL SELECT datname FROM pg_database WHERE datdba = $1::regrole`,
    [role],
  );
  expect(rows).toEqual([]);
});

it.each([
  "DROP TABLE audit_entry",
  "TRUNCATE audit_entry",
  "UPDATE audit_entry SET seq = seq",
  "DELETE FROM audit_entry",
  "ALTER TABLE audit_entry DISABLE TRIGGER USER",
  "SET LOCAL session_replication_role = replica",
  "UPDATE ledger_entry SET id = id",
  "DELETE FROM hotel",
  "TRUNCATE hotel CASCADE",
  "CREATE TABLE of_its_own (id int)",
  "CREATE TEMPORARY TABLE of_its_own (id int)",
  "COPY hotel TO PROGRAM 'true'",
  "SELECT pg_read_file('PG_VERSION')",
])("the server cannot run: %s", async (statement) => {
  expect(await refusal(statement)).toMatch(/permission denied|must be (owner|superuser)/);
});

it("the server reads and writes its tables", async () => {
  for (const statement of ["SELECT FROM hotel", "DELETE FROM session", "SELECT FROM bullmq.job"]) {
    expect([statement, await refusal(statement)]).toEqual([statement, null]);
  }
});

it("the passwords of both roles differ, and only the operator can read them", async () => {
  const files = ["postgres.password", "postgres.server-password"].map((name) => join(dataDir, name));
  const [owner, serverRole] = await Promise.all(files.map((file) => readFile(file, "utf8")));
  expect(serverRole).toMatch(/^[0-9a-f]{48}\n$/);
  expect(serverRole).not.toBe(owner);
  for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it("nobody else can list the data directory, even one that was open before", async () => {
  const mode = async (path: string) => (await stat(path)).mode;
  // If started as root, the user that PostgreSQL runs as may traverse the folder.
  expect((await mode(dataDir)) & 0o067).toBe(0);
  expect((await mode(join(dataDir, "backups"))) & 0o777).toBe(0o700);
  expect((await mode(join(dataDir, "postgres"))) & 0o777).toBe(0o700);
});
