import { randomUUID } from "node:crypto";
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../../../../test/harness/database.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer, testBackups } from "../../../../test/harness/server.ts";
import { startS3Server } from "../../../../test/processes/s3-server.ts";
import { dumpEntries } from "../../../adapters/backup/dump.ts";
import { inspectBackup } from "../../../adapters/backup/inspect.ts";
import { writeSealed } from "../../../adapters/backup/sealed-tar.ts";
import { prepareDatabase } from "../../../adapters/postgres/prepare.ts";
import { openStores } from "../../../adapters/storage/stores.ts";
import { FILE_IDS, LEFT_OUT } from "./invariants.ts";
import { BackupRuns, type BackupSettings, type FinishedBackup, makeBackup } from "./make-backup.ts";
import { type RestoreTarget, restoreBackup, tryBackup } from "./restore-backup.ts";

let server: TestServer;
let hotel: SeededHotel;
let settings: BackupSettings;
let identity: string;
const picture = Buffer.from("a picture");

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "kept");
  settings = testBackups(server.url, server.dataDir, server.rootKey);
  identity = (await settings.key()).identity ?? "";
  await stores().storage.write(hotel.ids.fileId, picture);
}, 120_000);
afterAll(() => server.close());

const stores = () => openStores({ dataDir: server.dataDir, s3: undefined });

async function backUp(changed: Partial<BackupSettings> = {}): Promise<FinishedBackup> {
  server.clock.advance(1_000);
  const runs = new BackupRuns(server.database);
  const files = stores().storage;
  return makeBackup({ settings: { ...settings, ...changed }, files, runs, now: () => server.clock.now() });
}

function targetAt(databaseUrl: string, changed: Partial<RestoreTarget> = {}): RestoreTarget {
  return {
    databaseUrl,
    migrationsDir: settings.migrationsDir,
    storage: openStores({ dataDir: join(server.dataDir, "elsewhere"), s3: undefined }).storage,
    replace: false,
    otherSchemas: [],
    accept: async () => undefined,
    ...changed,
  };
}

async function query<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, application_name: "test" });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Returns every row of every table as text. */
async function rowsOf(url: string): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const findings: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(url, `SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
    if (!(name in LEFT_OUT) && name !== "backup_run") findings[name] = rows.map(({ row }) => row);
  }
  return findings;
}

/** Constraints, indexes, triggers and everything else in the schema that the migrations created. */
const SCHEMA = `
  SELECT pg_get_constraintdef(oid) || conname || conrelid::regclass || convalidated AS line FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT table_name || column_name || data_type || coalesce(column_default, '') || is_nullable FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT viewname || definition FROM pg_views WHERE schemaname = 'public'
  UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prolang <> (SELECT oid FROM pg_language WHERE lanname = 'c')
  ORDER BY 1`;

async function emptyDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const { url, drop } = await createTestDatabase();
  try {
    return await use(url);
  } finally {
    await drop();
  }
}

describe("a backup", () => {
  it("contains every table except those left out, files and secrets, and passes a trial restore", async () => {
    const backup = await backUp();
    const { header, manifest, secrets } = await inspectBackup(backup.file, identity);
    const rows = await rowsOf(server.url);
    expect(header.tables.map(({ name }) => name)).toEqual([...Object.keys(rows), "backup_run"].sort());
    for (const { name, rows: count } of manifest.tables) {
      if (name !== "backup_run") expect(count, name).toBe(rows[name]?.length);
    }
    expect(manifest.files.count).toBe(1);
    // furnish() creates rows of pictures without their bytes, as if they had been erased during the backup.
    expect(backup.gone).toBeGreaterThan(0);
    expect(manifest.gone).toHaveLength(backup.gone);
    expect(secrets.get("secret-key")).toBe(Buffer.from(server.rootKey).toString("hex"));
    expect((await tryBackup(backup.file, identity, settings)).findings).toEqual([]);
  });

  it("is restored into an empty database with the same rows, schema and sequences", async () => {
    const newBackup = await backUp();
    await emptyDatabase(async (url) => {
      const schema = await query(url, SCHEMA);
      const { findings, backup } = await restoreBackup(newBackup.file, identity, targetAt(url));
      expect(findings).toEqual([]);
      expect(await rowsOf(url)).toEqual(await rowsOf(server.url));
      expect(await query(url, SCHEMA)).toEqual(schema);
      const next =
        "SELECT sequencename AS name, last_value FROM pg_sequences WHERE schemaname = 'public' AND sequencename <> 'backup_run_id_seq' ORDER BY 1";
      expect(await query(url, next)).toEqual(await query(server.url, next));
      await expect(query(url, "UPDATE ledger_entry SET amount_minor = 1")).rejects.toThrow("append-only");
      const file = join(server.dataDir, "elsewhere/files", hotel.ids.fileId.slice(0, 2), hotel.ids.fileId);
      expect(await readFile(file)).toEqual(picture);
      expect(backup.header.migrations.at(-1)).toBeDefined();
      const runs = await query(
        url,
        "SELECT file, error, verified_at IS NOT NULL AS proven FROM backup_run ORDER BY id DESC",
      );
      expect(runs[0], "it names the file that it came from").toEqual({
        file: newBackup.file,
        error: null,
        proven: true,
      });
      expect(await query(url, "SELECT FROM backup_run WHERE ended_at IS NULL")).toEqual([]);
    });
  });

  it("is a snapshot of one instant, whatever is written meanwhile", async () => {
    const source = { databaseUrl: server.url, version: "0", createdAt: new Date(), leftOut: [], fileIds: FILE_IDS };
    const { storage: files } = stores();
    const entries = dumpEntries({ ...source, files, secrets: settings.secrets }, () => undefined);
    // The snapshot is taken before the first entry; the writes below happen between entries.
    const changingEntries = (async function* () {
      for await (const entry of entries) {
        yield entry;
        const uid = randomUUID();
        await hotel.ownerDesk.api.groups.save.mutate({ name: uid, sort: 9 });
      }
    })();
    const file = join(settings.directory, "disturbed.age");
    await writeSealed(file, (await settings.key()).recipient, changingEntries);
    const trial = await tryBackup(file, identity, settings);
    expect(trial.findings, "the audit log, its end and every foreign key are consistent").toEqual([]);
    const { manifest } = await inspectBackup(file, identity);
    const groups = await query(server.url, "SELECT FROM room_group");
    expect(manifest.tables.find(({ name }) => name === "room_group")?.rows).toBeLessThan(groups.length);
  });

  it("is not made twice at the same time", async () => {
    const results = await Promise.allSettled([backUp(), backUp({ directory: join(settings.directory, "other") })]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: expect.stringMatching(/Another backup/) },
    });
  });

  it("reports what is wrong with its contents: a forged audit log, an unbalanced ledger, another secret key", async () => {
    await emptyDatabase(async (url) => {
      await restoreBackup((await backUp()).file, identity, targetAt(url));
      await query(url, "SET session_replication_role = replica; UPDATE audit_entry SET actor_name = 'x' WHERE seq = 2");
      await query(
        url,
        "SET session_replication_role = replica; UPDATE ledger_entry SET amount_minor = amount_minor + 1 WHERE id = (SELECT min(id) FROM ledger_entry)",
      );
      const forged = await backUp({
        databaseUrl: url,
        secrets: { "secret-key": "ab".repeat(32) },
        directory: join(settings.directory, "forged"),
      });
      const { findings } = await tryBackup(forged.file, identity, settings);
      expect(findings.join("\n")).toMatch(/audit of kept hotel/);
      expect(findings.join("\n")).toMatch(/do not sum to zero/);
      expect(findings.join("\n")).toMatch(/sealed in passcode\.code_box/);
    });
  });
});

describe("a restore", () => {
  it("changes nothing in a database with contents, unless it is to be replaced", async () => {
    const backup = await backUp();
    await emptyDatabase(async (url) => {
      await restoreBackup(backup.file, identity, targetAt(url));
      await query(url, "UPDATE room SET remark_name = 'changed since'");
      const before = await rowsOf(url);
      await expect(restoreBackup(backup.file, identity, targetAt(url))).rejects.toThrow(/not empty.*--replace/s);
      expect(await rowsOf(url)).toEqual(before);
      await restoreBackup(backup.file, identity, targetAt(url, { replace: true }));
      expect(await rowsOf(url)).toEqual(await rowsOf(server.url));
    });
  });

  it("erases pictures that only the replaced rows used", async () => {
    const backup = await backUp();
    await emptyDatabase(async (url) => {
      const target = targetAt(url, { replace: true });
      await restoreBackup(backup.file, identity, target);
      const orphan = randomUUID();
      await target.storage.write(orphan, picture);
      await query(
        url,
        `INSERT INTO stored_file (id, hotel_id, kind, content_type, size_bytes, width, height, sha256, created_at)
        SELECT '${orphan}', hotel_id, 'room', 'image/webp', 9, 1, 1, 'x', now() FROM room LIMIT 1`,
      );
      expect((await restoreBackup(backup.file, identity, target)).erased).toBeGreaterThan(0);
      expect(await target.storage.read(orphan)).toBeNull();
      const file = await target.storage.read(hotel.ids.fileId);
      expect(file).not.toBeNull();
      file?.destroy();
    });
  });

  it("is refused while a server is running", async () => {
    const backup = await backUp();
    await expect(restoreBackup(backup.file, identity, targetAt(server.url, { replace: true }))).rejects.toThrow(
      /server is running/,
    );
    expect(await hotel.ownerDesk.api.rooms.detail.query({ roomId: hotel.ids.roomId })).toBeDefined();
  });

  it("of a damaged, foreign or differently encrypted file leaves the target unchanged", async () => {
    const backup = await backUp();
    const whole = await readFile(backup.file);
    const damagedCopy = Buffer.from(whole);
    damagedCopy.writeUInt8(damagedCopy.readUInt8(whole.length - 500) ^ 8, whole.length - 500);
    const other = (await testBackups("", "", server.rootKey).key()).identity ?? "";
    await emptyDatabase(async (url) => {
      await restoreBackup(backup.file, identity, targetAt(url));
      const before = await rowsOf(url);
      const trial = join(server.dataDir, "tried.age");
      for (const [bytes, key, reason] of [
        [damagedCopy, identity, /damaged/],
        [whole.subarray(0, whole.length - 70), identity, /damaged/],
        [whole, other, /another key/],
        [Buffer.from("PK\u0003\u0004 something else\n"), identity, /not a backup/],
      ] as const) {
        await writeFile(trial, bytes);
        await expect(restoreBackup(trial, key, targetAt(url, { replace: true }))).rejects.toThrow(reason);
      }
      expect(await rowsOf(url)).toEqual(before);
    });
  });

  it("that fails half-way leaves the target unchanged", async () => {
    const backup = await backUp();
    await emptyDatabase(async (url) => {
      await restoreBackup(backup.file, identity, targetAt(url));
      await query(url, "UPDATE room SET remark_name = 'changed since'");
      const [before, schema] = [await rowsOf(url), await query(url, SCHEMA)];
      const storage = {
        ...targetAt(url).storage,
        write: async () => {
          throw new Error("the disk is full");
        },
      };
      await expect(restoreBackup(backup.file, identity, targetAt(url, { replace: true, storage }))).rejects.toThrow(
        "the disk is full",
      );
      expect(await rowsOf(url)).toEqual(before);
      expect(await query(url, SCHEMA)).toEqual(schema);
    });
  });

  it("of a newer version is refused with its name; one of an older version is migrated", async () => {
    const backup = await backUp();
    const fewer = join(server.dataDir, "fewer");
    const names = (await readdir(settings.migrationsDir)).filter((name) => /^\d/.test(name)).sort();
    await mkdir(fewer);
    for (const name of names.slice(0, -1))
      await cp(join(settings.migrationsDir, name), join(fewer, name), { recursive: true });
    await emptyDatabase(async (url) => {
      const before = await query(url, SCHEMA);
      await expect(restoreBackup(backup.file, identity, targetAt(url, { migrationsDir: fewer }))).rejects.toThrow(
        new RegExp(`newer Innkey \\(0\\.0\\.0\\).*${names.at(-1)}`),
      );
      expect(await query(url, SCHEMA)).toEqual(before);
      const more = join(server.dataDir, "more");
      await cp(settings.migrationsDir, more, { recursive: true });
      await mkdir(join(more, "29990101000000_later"));
      await writeFile(
        join(more, "29990101000000_later/migration.sql"),
        "ALTER TABLE room ADD COLUMN later int NOT NULL DEFAULT 7;",
      );
      await restoreBackup(backup.file, identity, targetAt(url, { migrationsDir: more }));
      expect(await query(url, "SELECT DISTINCT later FROM room")).toEqual([{ later: 7 }]);
      const [last] = await query(
        url,
        "SELECT migration_name AS name, finished_at IS NOT NULL AS done FROM _prisma_migrations ORDER BY 1 DESC LIMIT 1",
      );
      expect(last).toEqual({ name: "29990101000000_later", done: true });
    });
    await rm(fewer, { recursive: true });
  });

  it("of a version before the first release is refused", async () => {
    const backup = await backUp();
    const released = join(server.dataDir, "released");
    await mkdir(join(released, "0_first"), { recursive: true });
    await emptyDatabase(async (url) => {
      await expect(restoreBackup(backup.file, identity, targetAt(url, { migrationsDir: released }))).rejects.toThrow(
        /from before the first release/,
      );
    });
    await rm(released, { recursive: true });
  });

  it("compares every table with the backup before it succeeds", async () => {
    const backup = await backUp();
    const padding = join(server.dataDir, "padding");
    await cp(settings.migrationsDir, padding, { recursive: true });
    const [last = ""] = (await inspectBackup(backup.file, identity)).header.migrations.slice(-1);
    await appendFile(
      join(padding, last, "migration.sql"),
      "\n;ALTER TABLE room_group ALTER COLUMN name TYPE char(99);",
    );
    await emptyDatabase(async (url) => {
      const restoring = restoreBackup(backup.file, identity, targetAt(url, { migrationsDir: padding }));
      await expect(restoring).rejects.toThrow(/the table room_group is not what was backed up/);
      expect(await query(url, "SELECT FROM room_group")).toEqual([]);
    });
  });

  it("needs no superuser, only the owner of the database", async () => {
    const backup = await backUp();
    const role = `owner_${randomUUID().slice(0, 8)}`;
    await emptyDatabase(async (url) => {
      const name = new URL(url).pathname.slice(1);
      await query(url, `CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
      await query(url, `ALTER DATABASE ${name} OWNER TO ${role}`);
      await query(url, "DROP SCHEMA public CASCADE");
      const own = new URL(url);
      own.username = role;
      own.password = "x";
      await query(own.href, "CREATE SCHEMA public");
      await restoreBackup(backup.file, identity, targetAt(own.href));
      expect(await rowsOf(url)).toEqual(await rowsOf(server.url));
      await restoreBackup(backup.file, identity, targetAt(own.href, { replace: true }));
      await expect(tryBackup(backup.file, identity, { ...settings, databaseUrl: own.href })).rejects.toThrow(
        /CREATEDB/,
      );
      const live = new pg.Client({ connectionString: url, application_name: "innkey" });
      await live.connect();
      await expect(restoreBackup(backup.file, identity, targetAt(own.href, { replace: true }))).rejects.toThrow(
        /server is running/,
      );
      await live.end();
    });
    await query(server.url, `DROP ROLE ${role}`);
  });
});

describe("a server's own role without rights to change tables", () => {
  it("can back up, and has its rights again after the owner restores", async () => {
    const name = `server_${randomUUID().slice(0, 8)}`;
    await emptyDatabase(async (url) => {
      await restoreBackup((await backUp()).file, identity, targetAt(url));
      await query(url, `CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
      const own = new URL(url);
      own.username = name;
      own.password = "x";
      const prismaDir = dirname(settings.migrationsDir);
      const prepare = () => prepareDatabase({ databaseUrl: own.href, migrationUrl: url, prismaDir, withQueue: false });
      await prepare();
      const pool = new pg.Pool({ connectionString: own.href, application_name: "test" });
      const files = stores().storage;
      const runs = new BackupRuns({ pool });
      const backup = await makeBackup({
        settings: { ...settings, databaseUrl: own.href },
        files,
        runs,
        now: () => new Date(),
      });
      await pool.end();
      await restoreBackup(backup.file, identity, targetAt(url, { replace: true }));
      await expect(query(own.href, "SELECT FROM room")).rejects.toThrow(/permission denied/);
      await prepare();
      expect(await query(own.href, "SELECT name FROM room")).toEqual(await query(url, "SELECT name FROM room"));
      await expect(query(own.href, "DELETE FROM audit_entry")).rejects.toThrow(/permission denied/);
      await query(url, `DROP OWNED BY ${name}`);
    });
    await query(server.url, `DROP ROLE ${name}`);
  });
});

describe("files in an object store", () => {
  it("are backed up from there and restored to there", async () => {
    const store = await startS3Server();
    const { storage } = openStores({ dataDir: "/nowhere", s3: store.settings });
    await storage.write(hotel.ids.fileId, picture);
    // Its name ends in the second, and another test of this file may have made one in the same.
    const later = new Date(Date.now() + 60_000);
    const backup = await makeBackup({ settings, files: storage, runs: null, now: () => later });
    expect(backup.files).toBe(1);
    store.objects.clear();
    await emptyDatabase(async (url) => {
      await restoreBackup(backup.file, identity, targetAt(url, { storage }));
    });
    expect(store.objects.get(`files/${hotel.ids.fileId}`)?.bytes).toEqual(picture);
    await store.close();
  });
});
