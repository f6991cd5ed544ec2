import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prepareTrialDatabase } from "../../infra/backup/prepare-trial-database.ts";
import { databaseNameOf, withDatabaseName } from "../../infra/database/database-name.ts";
import { prepareDatabase } from "../../infra/database/prepare.ts";
import { openStores } from "../../infra/stores.ts";
import { testBackups } from "../../testing/backups.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { HeldClock } from "../../testing/hotel.ts";
import { furnish } from "../../testing/house.ts";
import { createTestRoles, type TestRoles } from "../../testing/roles.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";
import { BackupRuns } from "./backup-runs.ts";
import { lastBackup } from "./last-backup.ts";
import { type BackupSetting, makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { ScheduledBackups } from "./scheduled-backups.ts";
import { tryBackup } from "./try-backup.ts";

/**
 * An installation as Compose makes it: an owner who may make databases, and a server's role that owns nothing and may make
 * none. Its rows came out of a backup of a furnished house.
 */
const HOUR_MS = 3_600_000;
const ERROR = pino.levels.values.error ?? 0;
const prismaDir = join(import.meta.dirname, "../../../../../prisma");

let source: TestServer;
let live: { url: string; drop(): Promise<void> };
let roles: TestRoles;
let trialUrl: string;
let dataDir: string;
let setting: BackupSetting;
let identity: string;
let pool: pg.Pool;
const clock = new HeldClock("2026-05-04T10:00:00.000Z");
const lines: { level: number; msg: string }[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "innkey-trials-"));
  source = await createTestServer();
  await furnish(source, "tried");
  live = await createTestDatabase();
  roles = await createTestRoles(live.url, randomBytes(8).toString("hex"));
  trialUrl = withDatabaseName(roles.serverUrl, `${databaseNameOf(live.url)}_verify`);
  setting = testBackups(roles.serverUrl, dataDir, source.rootKey, { trialUrl, everyHours: 6 });
  identity = (await setting.key()).identity ?? "";
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

/** The furnished house into the owner's database, and the server's rights to it. */
async function fill(): Promise<void> {
  const { storage: files } = openStores({ dataDir: source.dataDir, s3: undefined });
  const house = testBackups(source.url, join(dataDir, "house"), source.rootKey);
  const made = await makeBackup({ setting: house, files, runs: null, now: () => clock.now() });
  await restoreBackup(made.file, (await house.key()).identity ?? "", {
    ...{ databaseUrl: roles.ownerUrl, migrationsDir: setting.migrationsDir, replace: false, otherSchemas: [] },
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

/** What is in the database for trials beside what every new one has. */
const LEFT = `
  SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('public', 'information_schema')
  UNION ALL SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'`;

/** The schedule of a server that works with the server's role. */
function scheduled(changed: Partial<BackupSetting> = {}): ScheduledBackups {
  const { storage } = openStores({ dataDir, s3: undefined });
  const backup = { ...setting, ...changed };
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

describe("a scheduled backup of a role that may make no database", () => {
  it("is verified in the database that is kept for it, where nothing stays, day after day", async () => {
    const [role] = await query(roles.serverUrl, "SELECT rolcreatedb AS may FROM pg_roles WHERE rolname = current_user");
    expect(role).toEqual({ may: false });
    for (let day = 0; day < 2; day += 1) {
      await scheduled().runIfDue();
      expect(await last()).toMatchObject({ at: clock.now(), verifiedAt: clock.now(), error: null });
      expect(await trialAsSuperuser(LEFT)).toEqual([]);
      clock.advance(25 * HOUR_MS);
    }
    const tried = await tryBackup((await new BackupRuns({ pool }).kept())[0]?.file ?? "", identity, setting);
    expect(tried.findings).toEqual([]);
    expect(tried.rows).toBeGreaterThan(100);
  });

  it("is not verified without one, and no worse for it", async () => {
    await scheduled({ trialUrl: undefined }).runIfDue();
    expect(await last()).toMatchObject({ verifiedAt: null, error: null });
    expect(lines.map(({ msg }) => msg).join()).toMatch(/CREATEDB, or set BACKUP_VERIFY_DATABASE_URL/);
  });

  it("is found wanting there as elsewhere, and nothing stays", async () => {
    const forge = "SET session_replication_role = replica; UPDATE audit_entry SET actor_name = ";
    await asSuperuser(`${forge} actor_name || '!' WHERE seq = 2`);
    await expect(scheduled().runIfDue()).rejects.toThrow(/journal of .* is not whole/);
    await asSuperuser(`${forge} rtrim(actor_name, '!') WHERE seq = 2`);
    expect(await last()).toMatchObject({ at: null, error: expect.stringMatching(/not whole/) });
    expect(await trialAsSuperuser(LEFT)).toEqual([]);
  });
});

describe("trials", () => {
  const rows = () =>
    asSuperuser("SELECT (SELECT count(*) FROM room) AS rooms, (SELECT count(*) FROM audit_entry) AS entries");
  const viaLocalhost = (url: string): string => url.replace("127.0.0.1", "localhost");

  it("are refused in the live database, by whatever name and role it is reached", async () => {
    const before = await rows();
    for (const own of [roles.serverUrl, viaLocalhost(roles.serverUrl), viaLocalhost(roles.ownerUrl), live.url]) {
      await expect(prepare({ trialUrl: own })).rejects.toThrow(/the console's own database/);
      clock.advance(25 * HOUR_MS);
      await scheduled({ trialUrl: own }).runIfDue();
      expect(await last(), "the backup is good").toMatchObject({ at: clock.now(), verifiedAt: null, error: null });
    }
    expect(errors()).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/the console's own database/)));
    expect(await rows()).toEqual(before);
  });

  it("are refused where somebody has something, in whatever schema, and it stays", async () => {
    const things = [
      "CREATE TABLE note (text text)",
      "CREATE SCHEMA other; CREATE VIEW other.note AS SELECT 1 AS one",
      "CREATE SEQUENCE numbers",
    ];
    for (const thing of things) {
      await trialAsSuperuser(thing);
      clock.advance(25 * HOUR_MS);
      await scheduled().runIfDue();
      expect(errors().at(-1)).toMatch(/BACKUP_VERIFY_DATABASE_URL is not empty: there is \w+\.\w+/);
      expect(await prepare()).toMatch(/not empty/);
      expect((await trialAsSuperuser(LEFT)).length).toBeGreaterThan(0);
      await trialAsSuperuser(
        "DROP TABLE IF EXISTS note; DROP SCHEMA IF EXISTS other CASCADE; DROP SEQUENCE IF EXISTS numbers",
      );
    }
    // Another installation's database, without anybody in it, is as little one for trials.
    const other = await createTestDatabase();
    await scheduled({ trialUrl: other.url }).runIfDue();
    expect(await query(other.url, "SELECT count(*)::int AS migrations FROM _prisma_migrations")).not.toEqual([]);
    await other.drop();
    expect(await last()).toMatchObject({ verifiedAt: null, error: null });
  });

  it("take turns, and a second one is nobody's failure", async () => {
    clock.advance(25 * HOUR_MS);
    const first = new pg.Client({ connectionString: trialUrl });
    await first.connect();
    await first.query("SELECT pg_advisory_lock(461175031)");
    await scheduled().runIfDue();
    await first.end();
    expect(await last()).toMatchObject({ verifiedAt: null, error: null });
    expect(lines.map(({ msg }) => msg).join()).toMatch(/Another backup is being tried/);
  });

  it("that can't be had leave the backup what it is", async () => {
    await scheduled({ trialUrl: withDatabaseName(trialUrl, "nowhere") }).runIfDue();
    expect(await last()).toMatchObject({ verifiedAt: null, error: null });
    expect(lines.map(({ msg }) => msg).join()).toMatch(/can't be had: database "nowhere" does not exist/);
  });
});

describe("preparing", () => {
  it("makes it once, for its role alone, however many servers start", async () => {
    await asSuperuser(`DROP DATABASE "${databaseNameOf(trialUrl)}"`);
    expect(await Promise.all([prepare(), prepare(), prepare()])).toEqual([null, null, null]);
    const [database] = await asSuperuser(`
      SELECT datdba::regrole::text AS owner, has_database_privilege('${roles.server}', datname, 'CREATE') AS may,
        EXISTS (SELECT FROM aclexplode(datacl) WHERE grantee = 0) AS everybody
      FROM pg_database WHERE datname = '${databaseNameOf(trialUrl)}'`);
    expect(database).toEqual({ owner: ownerRole(), may: true, everybody: false });
    clock.advance(25 * HOUR_MS);
    await scheduled().runIfDue();
    expect((await last())?.verifiedAt).toEqual(clock.now());
  });

  it("says what to do where it can't, and stops nothing", async () => {
    await asSuperuser(`ALTER ROLE ${ownerRole()} NOCREATEDB`);
    const missing = withDatabaseName(trialUrl, "not_there_yet");
    const told = await prepare({ trialUrl: missing });
    expect(told).toMatch(/Backups can't be tried: there is no database not_there_yet/);
    expect(told).toContain(`ALTER ROLE "${ownerRole()}" CREATEDB`);
    expect(await prepare({ trialUrl: missing, migrationUrl: undefined })).toMatch(/can't be had/);
    expect(await prepare(), "one that is there needs no such right").toBeNull();
    await asSuperuser(`ALTER ROLE ${ownerRole()} CREATEDB`);
  });

  it("gives no rights in a database that is somebody else's", async () => {
    const other = await createTestDatabase();
    const theirs = withDatabaseName(trialUrl, databaseNameOf(other.url));
    expect(await prepare({ trialUrl: theirs })).toMatch(/not empty/);
    expect(await query(other.url, `SELECT has_schema_privilege('${roles.server}', 'public', 'CREATE') AS may`)).toEqual(
      [{ may: false }],
    );
    await other.drop();
  });

  it("does nothing where none is set", async () => {
    expect(await prepare({ trialUrl: undefined })).toBeNull();
  });
});
