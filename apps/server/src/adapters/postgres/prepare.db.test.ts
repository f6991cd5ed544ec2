import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, createTestRoles, type TestRoles } from "../../../test/harness/database.ts";
import { prepareDatabase } from "./prepare.ts";

const prismaDir = join(import.meta.dirname, "../../../../../prisma");
const SOURCES = join(import.meta.dirname, "../..");
const PASSWORD = randomBytes(8).toString("hex");

let database: { url: string; drop(): Promise<void> };
let roles: TestRoles;
let owner: pg.Client;
let server: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  roles = await createTestRoles(database.url, PASSWORD);
  await prepare();
  owner = new pg.Client({ connectionString: roles.ownerUrl });
  server = new pg.Client({ connectionString: roles.serverUrl });
  await owner.connect();
  await server.connect();
});

afterAll(async () => {
  await owner.end();
  await server.end();
  await roles.drop();
  await database.drop();
});

const prepare = (withQueue = true) =>
  prepareDatabase({ databaseUrl: roles.serverUrl, migrationUrl: roles.ownerUrl, prismaDir, withQueue });

const RIGHTS = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN"] as const;

/** Returns the rights of the server's role on each table and view of a schema. */
async function rightsIn(schema: string): Promise<Record<string, string>> {
  const columns = RIGHTS.map((right) => `has_table_privilege($2, c.oid, '${right}') AS "${right}"`).join(", ");
  const { rows } = await owner.query<{ name: string } & Record<(typeof RIGHTS)[number], boolean>>(
    `SELECT c.relname AS name, ${columns} FROM pg_class c
      WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1`,
    [schema, roles.server],
  );
  return Object.fromEntries(rows.map((row) => [row.name, RIGHTS.filter((right) => row[right]).join(" ")]));
}

const WRITTEN_ONCE = ["audit_entry", "folio_entry", "folio_entry_line", "ledger_entry", "receipt"];
const NEVER_DELETED = [
  "audit_head",
  "guest",
  "hotel",
  "hotel_state",
  "lock",
  "night_audit",
  "occupancy",
  "operator",
  "stay",
];

describe("the server's role", () => {
  it("has exactly the rights on each table that it needs", async () => {
    const rights = await rightsIn("public");
    expect(Object.keys(rights).length).toBeGreaterThan(40);
    const expected = Object.fromEntries(
      Object.keys(rights).map((name) => {
        if (name === "_prisma_migrations") return [name, "SELECT"];
        if (WRITTEN_ONCE.includes(name)) return [name, "SELECT INSERT"];
        if (NEVER_DELETED.includes(name)) return [name, "SELECT INSERT UPDATE"];
        return [name, "SELECT INSERT UPDATE DELETE"];
      }),
    );
    expect(rights).toEqual(expected);
    const jobs = await rightsIn("bullmq");
    expect(Object.keys(jobs).length).toBeGreaterThan(1);
    for (const [name, right] of Object.entries(jobs)) {
      expect([name, right]).toEqual([name, name === "migration" ? "SELECT" : "SELECT INSERT UPDATE DELETE"]);
    }
  });

  it("cannot delete through a view what it cannot delete from the table", async () => {
    for (const view of ["stay_now", "primary_guest"]) {
      await expect(server.query(`DELETE FROM ${view}`)).rejects.toMatchObject({
        code: expect.stringMatching(/42501|55000/),
      });
    }
  });

  it("gets its rights without a warning, even where an extension belongs to somebody else", async () => {
    const warnings: string[] = [];
    const listen = (notice: { message?: string | undefined }) => warnings.push(notice.message ?? "");
    owner.on("notice", listen);
    await owner.query("BEGIN");
    await owner.query("SELECT set_config('innkey.server_role', $1, true)", [roles.server]);
    await owner.query(readFileSync(join(prismaDir, "grants.sql"), "utf8"));
    await owner.query("COMMIT");
    owner.off("notice", listen);
    expect(warnings).toEqual([]);
    const { rows } = await server.query(
      "SELECT int4range(1, 3) && int4range(2, 4) AS met, iso(now()) IS NOT NULL AS told",
    );
    expect(rows).toEqual([{ met: true, told: true }]);
  });

  it("can delete from every table that a statement of the server deletes from", async () => {
    const sources = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() && /^(?!.*\.test\.ts$).*\.ts$/.test(entry.name) && !/generated|testing/.test(entry.parentPath),
      )
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    const writtenTables = sources.flatMap((text) => [
      ...[...text.matchAll(/DELETE FROM (?:public\.)?"?([a-z_]+)/g)].map(([, table = ""]) => table),
      ...[...text.matchAll(/\.([a-z]\w+)\.delete(?:Many)?\(\{/g)].map(([, model = ""]) =>
        model.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ),
    ]);
    const rights = await rightsIn("public");
    const tables = [...new Set(writtenTables)].filter((name) => name in rights);
    expect(tables.length).toBeGreaterThan(8);
    for (const table of tables) expect([table, rights[table]]).toEqual([table, expect.stringContaining("DELETE")]);
  });

  it("cannot change the tables whose triggers refuse changes", async () => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
        WHERE tgfoid IN ('refuse_change'::regproc, 'refuse_folio_entry_change'::regproc) ORDER BY 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(WRITTEN_ONCE);
    const changeable = await owner.query<{ name: string; column: string }>(
      `SELECT table_name AS name, column_name AS column FROM information_schema.column_privileges
        WHERE grantee = $1 AND privilege_type = 'UPDATE' AND table_name = ANY ($2)`,
      [roles.server, WRITTEN_ONCE],
    );
    expect(changeable.rows).toEqual([{ name: "folio_entry", column: "note" }]);
  });

  it("owns nothing and has no special attributes", async () => {
    const { rows } = await owner.query(
      `SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
              (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owned,
              (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships
         FROM pg_roles r WHERE rolname = $1`,
      [roles.server],
    );
    expect(rows).toEqual([
      {
        ...{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false },
        ...{ owned: 0, memberships: 0 },
      },
    ]);
  });

  it.each([
    "CREATE TABLE mine (i int)",
    "CREATE TEMPORARY TABLE mine (i int)",
    "CREATE SCHEMA mine",
    "DROP TABLE card",
    "ALTER TABLE audit_entry DISABLE TRIGGER ALL",
    "ALTER TABLE hotel ADD COLUMN mine int",
    "DROP FUNCTION commit_write",
    "TRUNCATE audit_entry",
    "TRUNCATE session",
    "UPDATE audit_entry SET actor_name = 'nobody'",
    "DELETE FROM audit_entry",
    "UPDATE ledger_entry SET amount_minor = 0",
    "DELETE FROM folio_entry_line",
    "UPDATE folio_entry SET hotel_id = 1",
    "DELETE FROM stay",
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', 'mine')",
    "CREATE ROLE mine",
    "SET session_replication_role = replica",
    "COPY hotel TO PROGRAM 'true'",
  ])("cannot run: %s", async (statement) => {
    await expect(server.query(statement)).rejects.toMatchObject({ code: "42501" });
  });

  it("can read and advance sequences", async () => {
    await server.query("SELECT last_value FROM hotel_id_seq");
    await server.query("SELECT nextval('audit_entry_id_seq')");
    expect((await server.query("SELECT search_key('Ä', 'b') AS key")).rows).toHaveLength(1);
  });
});

describe("a column that names an operator", () => {
  /** Their comments in prisma/schema say why. */
  const WITHOUT_KEY = ["lock_command.created_by_id", "unlock_record.operator_id"];

  it("has a foreign key, or is listed here with its reason in the schema", async () => {
    const { rows } = await owner.query<{ column: string }>(
      `SELECT a.attrelid::regclass || '.' || a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname ~ '^operator_id$|_by_id$'
          AND NOT EXISTS (SELECT FROM pg_constraint k
            WHERE k.contype = 'f' AND k.conrelid = c.oid AND a.attnum = ANY (k.conkey)) ORDER BY 1`,
    );
    expect(rows.map(({ column }) => column)).toEqual(WITHOUT_KEY);
  });
});

describe("preparing the database", () => {
  it("can be repeated, also by several processes at once", async () => {
    expect(await Promise.all([prepare(), prepare(), prepare()])).toEqual([[], [], []]);
  });

  it("revokes rights that were granted by hand", async () => {
    await owner.query(`GRANT ALL ON audit_entry TO ${roles.server}`);
    await prepare();
    expect((await rightsIn("public")).audit_entry).toBe("SELECT INSERT");
  });

  it("tells the server's role to let the owner run migrations first, only when one is missing", async () => {
    const alone = (folder: string) =>
      prepareDatabase({ databaseUrl: roles.serverUrl, migrationUrl: undefined, prismaDir: folder, withQueue: true });
    expect(await alone(prismaDir)).toEqual([]);
    const newer = await mkdtemp(join(tmpdir(), "innkey-newer-"));
    await cp(join(prismaDir, "migrations"), join(newer, "migrations"), { recursive: true });
    await mkdir(join(newer, "migrations/29990101000000_later"));
    await writeFile(join(newer, "migrations/29990101000000_later/migration.sql"), "CREATE TABLE later (i int);");
    await expect(alone(newer)).rejects.toThrow(
      `the role ${roles.server} may not change it. Run the migrate command first`,
    );
    await rm(newer, { recursive: true });
  });

  it("requires an address that names the server's role", async () => {
    const databaseUrl = "postgresql://127.0.0.1/innkey";
    await expect(
      prepareDatabase({ databaseUrl, migrationUrl: roles.ownerUrl, prismaDir, withQueue: false }),
    ).rejects.toThrow("DATABASE_URL: names no user");
  });
});
