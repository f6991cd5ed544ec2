import { randomBytes } from "node:crypto";
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, createTestRoles, type TestRoles } from "../../../../test/harness/database.ts";
import { StoppedClock } from "../../../../test/harness/hotel.ts";
import { seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer, testBackups } from "../../../../test/harness/server.ts";
import { listMigrations } from "../../../adapters/backup/load.ts";
import { prepareTrialDatabase } from "../../../adapters/backup/trial-database.ts";
import { databaseNameOf, withDatabaseName } from "../../../adapters/postgres/database-name.ts";
import { MIGRATION_LOCK } from "../../../adapters/postgres/migrate.ts";
import { prepareDatabase } from "../../../adapters/postgres/prepare.ts";
import { openStores } from "../../../adapters/storage/stores.ts";
import { BackupRuns, type BackupSettings, lastBackup, makeBackup } from "./make-backup.ts";
import { restoreBackup, tryBackup } from "./restore-backup.ts";
import { ScheduledBackups } from "./scheduled-backups.ts";

/**
 * An installation as set up by Compose: an owner who may create databases, and a server role that owns nothing and may
 * create none. Its rows come from a backup of a test hotel with data.
 */
const HOUR_MS = 3_600_000;
const ERROR = pino.levels.values.error ?? 0;
const prismaDir = join(import.meta.dirname, "../../../../../../prisma");

let source: TestServer;
let live: { url: string; drop(): Promise<void> };
let roles: TestRoles;
let trialUrl: string;
let dataDir: string;
let settings: BackupSettings;
let identity: string;
let pool: pg.Pool;
const clock = new StoppedClock("2026-05-04T10:00:00.000Z");
const lines: { level: number; msg: string }[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "innkey-trials-"));
  source = await createTestServer();
  await seedTestHotel(source, "tried");
  live = await createTestDatabase();
  roles = await createTestRoles(live.url, randomBytes(8).toString("hex"));
  trialUrl = withDatabaseName(roles.serverUrl, `${databaseNameOf(live.url)}_verify`);
  settings = testBackups(roles.serverUrl, dataDir, source.rootKey, { trialUrl, everyHours: 6 });
  identity = (await settings.key()).identity ?? "";
  await fill();
  await asSuperuser(`ALTER ROLE ${ownerRole()} CREATEDB`);
  expect(await prepare()).toBeNull();
  pool = new pg.Pool({ connectionString: roles.serverUrl, max: 2 });
}, 120_000);
afterAll(async () => {
  await pool.end();
  await asSuperuser(`DROP DATABASE IF EXISTS "${databaseNameOf(trialUrl)}" WITH (FORCE)`);
  await roles.drop();
  await live.drop();
  await source.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  lines.length = 0;
  clock.advance(25 * HOUR_MS);
  await asSuperuser("DELETE FROM backup_run");
});

const ownerRole = (): string => new URL(roles.ownerUrl).username;

/** Restores the test hotel into the owner's database and grants the server its rights. */
async function fill(): Promise<void> {
  const { storage: files } = openStores({ dataDir: source.dataDir, s3: undefined });
  const hotel = testBackups(source.url, join(dataDir, "house"), source.rootKey);
  const backup = await makeBackup({ settings: hotel, files, runs: null, now: () => clock.now() });
  await restoreBackup(backup.file, (await hotel.key()).identity ?? "", {
    ...{ databaseUrl: roles.ownerUrl, migrationsDir: settings.migrationsDir, replace: false, otherSchemas: [] },
    storage: openStores({ dataDir, s3: undefined }).storage,
    accept: async () => undefined,
  });
  await prepareDatabase({ databaseUrl: roles.serverUrl, migrationUrl: roles.ownerUrl, prismaDir, withQueue: false });
}

const prepare = (changed: Partial<Parameters<typeof prepareTrialDatabase>[0]> = {}) =>
  prepareTrialDatabase({ databaseUrl: roles.serverUrl, migrationUrl: roles.ownerUrl, trialUrl, ...changed });

async function query<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}
const asSuperuser = (text: string) => query(live.url, text);
const trialAsSuperuser = (text: string) => query(withDatabaseName(live.url, databaseNameOf(trialUrl)), text);

/** Objects in the trial database that a new database doesn't have. */
const LEFT = `
  SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('public', 'information_schema')
  UNION ALL SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'`;

/** Schedule of a server that runs with the server's role. */
function createSchedule(changed: Partial<BackupSettings> = {}): ScheduledBackups {
  const { storage } = openStores({ dataDir, s3: undefined });
  const backup = { ...settings, ...changed };
  return new ScheduledBackups({ define() {}, every() {} } as never, {
    database: { pool },
    backup,
    storage,
    clock,
    log,
  });
}
const last = () => lastBackup({ pool });
const errors = (): string[] => lines.filter(({ level }) => level >= ERROR).map(({ msg }) => msg);

describe("a scheduled backup with a role that cannot create databases", () => {
  it("is verified in the trial database, which is emptied again each day", async () => {
    const [role] = await query(roles.serverUrl, "SELECT rolcreatedb AS may FROM pg_roles WHERE rolname = current_user");
    expect(role).toEqual({ may: false });
    for (let day = 0; day < 2; day += 1) {
      await createSchedule().runIfDue();
      expect(await last()).toMatchObject({ at: clock.now(), verifiedAt: clock.now(), error: null });
      expect(await trialAsSuperuser(LEFT)).toEqual([]);
      clock.advance(25 * HOUR_MS);
    }
    const trial = await tryBackup((await new BackupRuns({ pool }).listWithFile())[0]?.file ?? "", identity, settings);
    expect(trial.findings).toEqual([]);
    expect(trial.rows).toBeGreaterThan(100);
  });

  it("is made but not verified without a trial database", async () => {
    await createSchedule({ trialUrl: undefined }).runIfDue();
    expect(await last()).toMatchObject({ verifiedAt: null, error: null });
    expect(lines.map(({ msg }) => msg).join()).toMatch(/CREATEDB, or set BACKUP_VERIFY_DATABASE_URL/);
  });
});

describe("the result of a trial restore", () => {
  const storedRuns = () => new BackupRuns({ pool }).listWithFile();
  /** Makes a backup without a trial restore. */
  const backUpUntried = () => createSchedule({ trialUrl: undefined }).runIfDue();

  it("is a bad backup when its bytes are damaged, and older ones are deleted as usual", async () => {
    await backUpUntried();
    clock.advance(7 * HOUR_MS);
    await backUpUntried();
    const [newer, older] = await storedRuns();
    clock.advance(7 * HOUR_MS);
    let calls = 0;
    const key: BackupSettings["key"] = async () => {
      calls += 1;
      if (calls === 2) await damage((await storedRuns())[0]?.file ?? ""); // The backup exists by now and will be tried.
      return settings.key();
    };
    await expect(createSchedule({ keep: 1, key }).runIfDue()).rejects.toThrow(/damaged/);
    expect(await last()).toMatchObject({ at: newer?.startedAt, error: expect.stringMatching(/damaged/) });
    expect((await storedRuns()).map(({ id }) => id)).toEqual([expect.any(Number), newer?.id]);
    expect((await storedRuns()).map(({ id }) => id)).not.toContain(older?.id);
  });

  it("is a bad backup when its rows differ from what was backed up", async () => {
    const migrationsDir = await migrationsWith("ALTER TABLE room_group ALTER COLUMN name TYPE char(99)");
    await expect(createSchedule({ migrationsDir }).runIfDue()).rejects.toThrow(/room_group is not what was backed up/);
    expect(await last()).toMatchObject({ at: null, error: expect.stringMatching(/not what was backed up/) });
    expect(await trialAsSuperuser(LEFT)).toEqual([]);
  });

  it("is a good, unverified backup when the original data was already wrong", async () => {
    const forge = "SET session_replication_role = replica; UPDATE audit_entry SET actor_name = ";
    await asSuperuser(`${forge} actor_name || '!' WHERE seq = 2`);
    await createSchedule().runIfDue();
    await asSuperuser(`${forge} rtrim(actor_name, '!') WHERE seq = 2`);
    expect(await last()).toMatchObject({ at: clock.now(), verifiedAt: null, error: null });
    expect(errors()).toEqual([expect.stringMatching(/not verified: The audit of .* is not whole/)]);
    expect(await trialAsSuperuser(LEFT)).toEqual([]);
  });

  it("is empty when the trial broke off: no other backup is made, and the next one is tried", async () => {
    const migrationsDir = await migrationsWith("SELECT pg_terminate_backend(pg_backend_pid())");
    await createSchedule({ migrationsDir }).runIfDue();
    const at = clock.now();
    expect(await last()).toMatchObject({ at, verifiedAt: null, error: null });
    expect(errors()).toEqual([expect.stringMatching(/could not be tried/)]);
    clock.advance(2 * HOUR_MS);
    await createSchedule().runIfDue();
    expect(await last()).toMatchObject({ at });
    clock.advance(5 * HOUR_MS);
    await createSchedule().runIfDue();
    expect(await last()).toMatchObject({ at: clock.now(), verifiedAt: clock.now(), error: null });
  });

  async function damage(file: string): Promise<void> {
    const bytes = await readFile(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await writeFile(file, bytes);
  }

  /** Copies this version's migrations and appends a statement. */
  async function migrationsWith(statement: string): Promise<string> {
    const directory = await mkdtemp(join(dataDir, "migrations-"));
    await cp(settings.migrationsDir, directory, { recursive: true });
    const newest = (await listMigrations(directory)).at(-1) ?? "";
    await appendFile(join(directory, newest, "migration.sql"), `\n;${statement};`);
    return directory;
  }
});

describe("trial restores", () => {
  const rows = () =>
    asSuperuser("SELECT (SELECT count(*) FROM room) AS rooms, (SELECT count(*) FROM audit_entry) AS entries");
  const viaLocalhost = (url: string): string => url.replace("127.0.0.1", "localhost");

  it("are refused in the live database, whatever name and role lead to it", async () => {
    const before = await rows();
    for (const own of [roles.serverUrl, viaLocalhost(roles.serverUrl), viaLocalhost(roles.ownerUrl), live.url]) {
      await expect(prepare({ trialUrl: own })).rejects.toThrow(/the console's own database/);
      clock.advance(25 * HOUR_MS);
      await createSchedule({ trialUrl: own }).runIfDue();
      expect(await last(), "the backup is good").toMatchObject({ at: clock.now(), verifiedAt: null, error: null });
    }
    expect(errors()).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/the console's own database/)));
    expect(await rows()).toEqual(before);
  });

  it("are refused in a database with contents in any schema, which stay", async () => {
    const objects = [
      ["table public.note", "CREATE TABLE note (text text)", "DROP TABLE note"],
      [
        "view other.note",
        "CREATE SCHEMA other; CREATE VIEW other.note AS SELECT 1 AS one",
        "DROP SCHEMA other CASCADE",
      ],
      ["sequence public.numbers", "CREATE SEQUENCE numbers", "DROP SEQUENCE numbers"],
      ["function public.one()", "CREATE FUNCTION one() RETURNS int RETURN 1", "DROP FUNCTION one()"],
      [
        "operator public.|||(integer,integer)",
        "CREATE OPERATOR ||| (FUNCTION = int4pl, LEFTARG = int, RIGHTARG = int)",
        "DROP OPERATOR ||| (int, int)",
      ],
      ["type public.mood", "CREATE TYPE mood AS ENUM ('good')", "DROP TYPE mood"],
      ["schema bare", "CREATE SCHEMA bare", "DROP SCHEMA bare"],
    ] as const;
    for (const [name, create, undone] of objects) {
      await trialAsSuperuser(create);
      clock.advance(25 * HOUR_MS);
      await createSchedule().runIfDue();
      expect(errors().at(-1)).toContain(`BACKUP_VERIFY_DATABASE_URL is not empty: there is the ${name}.`);
      expect(await prepare()).toMatch(/not empty/);
      await trialAsSuperuser(undone); // The statement succeeds only if the object still exists.
    }
    await trialAsSuperuser("CREATE EXTENSION pg_trgm");
    expect(await prepare(), "the objects of an extension do not count").toBeNull();
    await trialAsSuperuser("DROP EXTENSION pg_trgm");
    // Another installation's database is refused for trials too, even without any data.
    const other = await createTestDatabase();
    await createSchedule({ trialUrl: other.url }).runIfDue();
    expect(await query(other.url, "SELECT count(*)::int AS migrations FROM _prisma_migrations")).not.toEqual([]);
    await other.drop();
    expect(await last()).toMatchObject({ verifiedAt: null, error: null });
  });

  it("run one at a time, and a second one is not a failure", async () => {
    clock.advance(25 * HOUR_MS);
    const first = new pg.Client({ connectionString: trialUrl });
    await first.connect();
    await first.query("SELECT pg_advisory_lock(461175031)");
    await createSchedule().runIfDue();
    await first.end();
    expect(await last()).toMatchObject({ verifiedAt: null, error: null });
    expect(lines.map(({ msg }) => msg).join()).toMatch(/Another backup is being tried/);
  });

  it("that cannot connect leave the backup unverified", async () => {
    await createSchedule({ trialUrl: withDatabaseName(trialUrl, "nowhere") }).runIfDue();
    expect(await last()).toMatchObject({ verifiedAt: null, error: null });
    expect(lines.map(({ msg }) => msg).join()).toMatch(/can't be had: database "nowhere" does not exist/);
  });
});

describe("preparing the trial database", () => {
  it("creates it once, for its role only, however many servers start", async () => {
    await asSuperuser(`DROP DATABASE "${databaseNameOf(trialUrl)}"`);
    expect(await Promise.all([prepare(), prepare(), prepare()])).toEqual([null, null, null]);
    const [database] = await asSuperuser(`
      SELECT datdba::regrole::text AS owner, has_database_privilege('${roles.server}', datname, 'CREATE') AS may,
        EXISTS (SELECT FROM aclexplode(datacl) WHERE grantee = 0) AS everybody
      FROM pg_database WHERE datname = '${databaseNameOf(trialUrl)}'`);
    expect(database).toEqual({ owner: ownerRole(), may: true, everybody: false });
    clock.advance(25 * HOUR_MS);
    await createSchedule().runIfDue();
    expect((await last())?.verifiedAt).toEqual(clock.now());
  });

  it("runs none of the functions that somebody planted there as the owner", async () => {
    const role = new URL(roles.serverUrl).username;
    const name = databaseNameOf(trialUrl);
    // Each of these matches better than PostgreSQL's own, wherever a name or operator without a schema is also searched
    // in `public`.
    const operators = [
      ["||", "text", "oid", "text"],
      ["=", "oid", "regclass", "boolean"],
      ["<>", "oid", "regclass", "boolean"],
      ["=", "oid", "regrole", "boolean"],
      ["=", "name", "varchar", "boolean"],
    ] as const;
    await query(
      trialUrl,
      `CREATE TABLE witness (who text);${operators
        .map(
          ([operator, left, right, result], at) => `
        CREATE FUNCTION spy${at}(${left}, ${right}) RETURNS ${result} LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO public.witness VALUES (current_user); RETURN true; END $$;
        CREATE OPERATOR ${operator} (FUNCTION = spy${at}, LEFTARG = ${left}, RIGHTARG = ${right});`,
        )
        .join("")}
      CREATE FUNCTION format(text, name, name) RETURNS text LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO public.witness VALUES (current_user); RETURN ''; END $$;
      GRANT INSERT ON witness TO PUBLIC`,
    );
    const witnesses = () => trialAsSuperuser("SELECT who FROM witness");
    expect(await prepare(), "with all rights of its role").toMatch(/not empty/);
    expect(await witnesses()).toEqual([]);
    await asSuperuser(`REVOKE CREATE ON DATABASE "${name}" FROM ${role}`);
    expect(await prepare(), "with missing rights, which the owner would grant").toMatch(/not empty/);
    expect(await witnesses()).toEqual([]);
    expect(await asSuperuser(`SELECT has_database_privilege('${role}', '${name}', 'CREATE') AS may`)).toEqual([
      { may: false },
    ]);
    await query(withDatabaseName(roles.ownerUrl, name), "SELECT 'x'::text || 1::oid, 1::oid = 'pg_class'::regclass");
    expect(await witnesses(), "an unguarded statement runs them").toEqual([{ who: ownerRole() }, { who: ownerRole() }]);
    await trialAsSuperuser(`DROP OWNED BY ${role}`);
    expect(await prepare()).toBeNull();
    expect(await trialAsSuperuser(LEFT)).toEqual([]);
  });

  it("does not wait for migrations or a server that does not answer", async () => {
    const migrating = new pg.Client({ connectionString: roles.ownerUrl });
    await migrating.connect();
    await migrating.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    expect(await prepare()).toBeNull();
    await migrating.end();
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const answer = await prepare({ trialUrl: `postgres://somebody@127.0.0.1:${port}/trials` });
    expect(answer).toMatch(/can't be had: .*timeout/);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it("says what to do when it fails, and stops nothing", async () => {
    await asSuperuser(`ALTER ROLE ${ownerRole()} NOCREATEDB`);
    const missing = withDatabaseName(trialUrl, "not_there_yet");
    const answer = await prepare({ trialUrl: missing });
    expect(answer).toMatch(/Backups can't be tried: there is no database not_there_yet/);
    expect(answer).toContain(`ALTER ROLE "${ownerRole()}" CREATEDB`);
    expect(await prepare({ trialUrl: missing, migrationUrl: undefined })).toMatch(/can't be had/);
    expect(await prepare(), "an existing one needs no right to create databases").toBeNull();
    await asSuperuser(`ALTER ROLE ${ownerRole()} CREATEDB`);
  });

  it("grants no rights in somebody else's database", async () => {
    const other = await createTestDatabase();
    const otherUrl = withDatabaseName(trialUrl, databaseNameOf(other.url));
    expect(await prepare({ trialUrl: otherUrl })).toMatch(/not empty/);
    expect(await query(other.url, `SELECT has_schema_privilege('${roles.server}', 'public', 'CREATE') AS may`)).toEqual(
      [{ may: false }],
    );
    await other.drop();
  });

  it("does nothing without a setting", async () => {
    expect(await prepare({ trialUrl: undefined })).toBeNull();
  });
});
