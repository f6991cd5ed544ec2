import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import type { MigrationList, SchemaContainer, SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { BACKUP_LOCK } from "./advisory-lock.ts";

/** Arbitrary, but not 72707369: Prisma takes that lock while we hold this one. */
export const MIGRATION_LOCK = 461_175_013;
/** While a migration waits for a table, all later users of the table wait too. So it gives up soon and tries again. */
const TABLE_WAIT_MS = 2_000;
const TABLE_PAUSE_MS = 3_000;
const MAX_TABLE_TRIES = 60;
const LOCK_NOT_AVAILABLE = "55P03";
const EVERYTHING = { externalTables: [], externalEnums: [] };

/**
 * Applies the migrations that a database does not have yet and returns their names, oldest first.
 * It runs Prisma's own schema engine in process, so `_prisma_migrations` is exactly what `prisma migrate deploy` would
 * leave. Servers that start together queue for an advisory lock. A migration and its record are one transaction: after
 * a failure (thrown here) or a kill nothing of it remains, and the next call tries it again. A role that may not change
 * the schema gets an error before anything is tried, and only if a migration is missing.
 * While servers run: it waits for a running backup, since that locks every table until it ends. If another session uses
 * a table, it waits 2 s, gives up and tries again, so that later sessions are served in between.
 */
export async function migrate(connectionString: string, migrationsDir: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const migrations = await readMigrations(migrationsDir);
    // Usually there is nothing to do, and then the engine's 5 MB need not be compiled.
    if (await hasAll(client, migrations)) return [];
    await refuseUnreleased(client, migrations);
    await requireOwner(client);
    await client.query("SELECT pg_advisory_lock($1)", [BACKUP_LOCK]);
    const before = new Set((await readHistory(client)).filter((row) => row.finished).map((row) => row.name));
    await retryWhileTableBusy(async () => {
      const stale = await readUnfinished(client);
      await withEngine(connectionString, async (engine) => {
        for (const migrationName of stale) await engine.markMigrationRolledBack({ migrationName });
        await engine.applyMigrations({ migrationsList: migrations, filters: EVERYTHING });
      });
    });
    const after = (await readHistory(client)).map((row) => row.name);
    return after.filter((name) => !before.has(name)).sort();
  } finally {
    await client.end();
  }
}

/** Checks whether a database has all migrations and none of them is unfinished. */
export async function isMigrated(connectionString: string, migrationsDir: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await hasAll(client, await readMigrations(migrationsDir));
  } finally {
    await client.end();
  }
}

/**
 * Returns the SQL that turns the result of the migrations into the schema of the schema files; undefined if they agree.
 */
export async function diffToSchema(
  connectionString: string,
  migrations: "none" | "applied",
  schemaDir: string,
): Promise<string | undefined> {
  const files = await readSchema(schemaDir);
  const { stdout } = await withEngine(connectionString, (engine) =>
    engine.diff({
      from: migrations === "none" ? { tag: "empty" } : { tag: "schemaDatasource", files, configDir: schemaDir },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: EVERYTHING,
    }),
  );
  return stdout?.includes("This is an empty migration") ? undefined : (stdout ?? undefined);
}

async function retryWhileTableBusy(apply: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply();
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE || attempt === MAX_TABLE_TRIES) throw error;
      await pause(TABLE_PAUSE_MS);
    }
  }
}

async function hasAll(client: pg.Client, migrations: MigrationList): Promise<boolean> {
  const rows = await readHistory(client);
  const finished = new Set(rows.filter((row) => row.finished).map((row) => row.name));
  return rows.every((row) => row.finished) && migrations.migrationDirectories.every(({ path }) => finished.has(path));
}

/** A database from before the first release lacks the first migration and can't be brought up to date. */
async function refuseUnreleased(client: pg.Client, { migrationDirectories }: MigrationList): Promise<void> {
  const names = (await readHistory(client)).map(({ name }) => name);
  const [first] = migrationDirectories;
  if (names.length === 0 || !first || names.includes(first.path)) return;
  throw new Error(
    "This database was made by a version from before the first release, which can't be upgraded; nothing was changed. " +
      "Start with an empty data folder.",
  );
}

async function requireOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean; role: string }>(
    "SELECT has_schema_privilege('public', 'CREATE') AS may, current_user AS role",
  );
  const [{ may, role } = { may: false, role: "" }] = rows;
  if (may) return;
  throw new Error(
    `The database is older than this server, and the role ${role} may not change it. ` +
      "Run the migrate command first, or set DATABASE_MIGRATION_URL.",
  );
}

async function readUnfinished(client: pg.Client): Promise<string[]> {
  return (await readHistory(client)).filter((row) => !row.finished).map((row) => row.name);
}

async function readHistory(client: pg.Client): Promise<{ name: string; finished: boolean }[]> {
  const table = await client.query<{ name: string | null }>("SELECT to_regclass('_prisma_migrations')::text AS name");
  if (!table.rows[0]?.name) return [];
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    "SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  return rows;
}

async function readMigrations(baseDir: string): Promise<MigrationList> {
  const entries = await readdir(baseDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const lockfile = await readFile(join(baseDir, "migration_lock.toml"), "utf8").catch(() => null);
  return {
    baseDir,
    lockfile: { path: "migration_lock.toml", content: lockfile },
    shadowDbInitScript: "",
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: { tag: "ok" as const, value: await readFile(join(baseDir, name, "migration.sql"), "utf8") },
        },
      })),
    ),
  };
}

async function readSchema(schemaDir: string): Promise<SchemaContainer[]> {
  const names = (await readdir(schemaDir)).filter((name) => name.endsWith(".prisma")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(schemaDir, name);
      return { path, content: await readFile(path, "utf8") };
    }),
  );
}

async function withEngine<T>(connectionString: string, use: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  loading ??= loadEngine();
  const { SchemaEngine } = await loading;
  const adapter = new ScriptAdapter({ connectionString, max: 2, lock_timeout: TABLE_WAIT_MS });
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, bindAdapter(adapter));
  try {
    return await use(engine);
  } catch (error) {
    // The engine names the migration but loses PostgreSQL's error message.
    if (adapter.failure === undefined) throw error;
    const which = /migration_name="([^"]+)"/.exec(String(error))?.[1];
    throw new Error(`Migration ${which ?? ""} failed: ${adapter.failure.message}`, { cause: adapter.failure });
  } finally {
    engine.free();
    await adapter.close();
  }
}

type Engine = typeof import("@prisma/schema-engine-wasm/schema_engine_bg");
/** Once per process: the glue module keeps views into one instance's memory, so a second instance would corrupt both. */
let loading: Promise<Engine> | undefined;

/**
 * Loads the WASM as a bundler would do for `import … from "./schema_engine_bg.wasm"`, which Node 20 does not support.
 */
async function loadEngine(): Promise<Engine> {
  const glueFile = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const glue: Engine = await import(pathToFileURL(glueFile).href);
  const wasm = await readFile(join(dirname(glueFile), "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(wasm, {
    "./schema_engine_bg.js": glue as unknown as WebAssembly.ModuleImports,
  });
  // The engine reports a panic here before it traps; without the hook the reason would be lost.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => process.stderr.write(`${message}\n`) },
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return glue;
}

/**
 * Sends a script to PostgreSQL as a whole, in one transaction. The stock adapter splits it at every semicolon, even
 * inside function bodies and comments, and sends the pieces over different connections. The engine has just inserted
 * the migration's row, the only unfinished one, so it is marked as finished in the same transaction.
 */
class ScriptAdapter extends PrismaPg {
  /** PostgreSQL's error for a script that failed. */
  failure: Error | undefined;
  private readonly opened: { dispose(): Promise<void> }[] = [];

  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    this.opened.push(adapter);
    const pool = adapter.underlyingDriver();
    adapter.executeScript = async (script) => {
      const { rows } = await pool.query<{ name: string | null }>(
        "SELECT to_regclass('_prisma_migrations')::text AS name",
      );
      const mark = rows[0]?.name
        ? "\n;UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL"
        : "";
      try {
        await pool.query(script + mark);
      } catch (error) {
        if (error instanceof Error) this.failure = error;
        throw error;
      }
    };
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw({ ...query, sql: query.sql.replace(CHAR_COLUMN, asText) });
      const columnTypes = result.columnTypes.map((type, at) =>
        result.columnNames[at]?.startsWith(CHAR_MARK) ? CHARACTER : type,
      );
      return { ...result, columnTypes, columnNames: result.columnNames.map((name) => name.replace(CHAR_MARK, "")) };
    };
    return adapter;
  }

  /** Closes the adapters, because the engine does not close what it opened. */
  async close(): Promise<void> {
    await Promise.all(this.opened.map((adapter) => adapter.dispose()));
  }
}

/**
 * Three columns of the catalogue that the engine reads have the internal type "char", which the adapter does not
 * support. We read them as text under a marked name and return them as characters.
 */
const CHAR_COLUMN = /\b(con\.confdeltype|con\.confupdtype)(?=,)|\b(constr\.contype) AS (\w+)/g;
const CHAR_MARK = "innkey_char_";
/** `ColumnTypeEnum.Character` of Prisma's driver adapters. */
const CHARACTER = 6;

function asText(_match: string, bare = "", column = bare, alias = bare.replace("con.", "")): string {
  return `${column}::text AS ${CHAR_MARK}${alias}`;
}

/**
 * Wraps the adapter's exceptions into the results that the engine expects, with a function of a dependency of the
 * adapter.
 */
function bindAdapter(adapter: PrismaPg): object {
  const fromAdapter = createRequire(createRequire(import.meta.url).resolve("@prisma/adapter-pg"));
  const utils: { bindMigrationAwareSqlAdapterFactory(factory: PrismaPg): object } =
    fromAdapter("@prisma/driver-adapter-utils");
  return utils.bindMigrationAwareSqlAdapterFactory(adapter);
}
