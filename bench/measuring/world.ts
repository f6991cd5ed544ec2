import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbeddedPostgres } from "../../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { migrate } from "../../apps/server/src/adapters/postgres/migrate.ts";
import { type Program, startProgram } from "./programs.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Settings for filling large databases; what is measured then runs with the same memory as by default. */
export const FILLING = {
  max_wal_size: "16GB",
  wal_level: "minimal",
  max_wal_senders: "0",
  maintenance_work_mem: "512MB",
};

export interface WorldOptions {
  /** settings of PostgreSQL, if it is not shared */
  settings?: Record<string, string>;
}

export interface ServeOptions {
  main?: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** creates the demo hotel, as the first `npm start` does */
  withDemo?: boolean;
}

/** A PostgreSQL server with one database per size, and servers on them. */
export interface World {
  /** a temporary folder */
  dataDir: string;
  /** Creates an empty database, migrated unless it is `bare`. Returns its address. */
  database(name: string, options?: { bare?: boolean }): Promise<string>;
  drop(name: string): Promise<void>;
  /** Starts the built server on a database; `main` is another build, `args` are Node's. */
  serve(url: string, options?: ServeOptions): Promise<Program>;
}

/** Address of a running PostgreSQL whose database `TEMPLATE` is migrated. All tiny runs of `npm test` share one. */
export const SHARED_POSTGRES = process.env.BENCH_POSTGRES;
export const TEMPLATE = "bench_template";

/** Starts a PostgreSQL of its own, or uses the shared one, and removes everything at the end. */
export async function withWorld<T>(
  work: (world: World) => Promise<T>,
  { settings = {} }: WorldOptions = {},
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "innkey-bench-"));
  const postgres = SHARED_POSTGRES ? null : await startPostgres(dataDir, settings);
  const serverUrl = SHARED_POSTGRES ?? postgres?.url ?? "";
  const databases = new Map<string, string>();
  const nameOf = (name: string): string => `bench_${process.pid}_${name}`;
  const drop = async (name: string): Promise<void> => {
    databases.delete(name);
    await administer(serverUrl, `DROP DATABASE ${nameOf(name)} WITH (FORCE)`);
  };
  let servers = 0;
  try {
    return await work({
      dataDir,
      async database(name, { bare = false } = {}) {
        await administer(serverUrl, `CREATE DATABASE ${nameOf(name)} ${bare ? "" : `TEMPLATE ${TEMPLATE}`}`);
        const url = databaseUrl(serverUrl, nameOf(name));
        databases.set(name, url);
        return url;
      },
      drop,
      serve: (url, { main = path("../../apps/server/dist/main.js"), args = [], env = {}, withDemo = false } = {}) =>
        startProgram([...args, main, ...(withDemo ? [] : ["--empty"])], {
          ...{ NODE_ENV: "production", DATABASE_URL: url, DATABASE_POOL: "8", PORT: "0", MQTT_PORT: "0" },
          DATA_DIR: join(dataDir, `server-${++servers}`),
          ...env,
        }),
    });
  } finally {
    if (SHARED_POSTGRES) for (const name of databases.keys()) await drop(name);
    await postgres?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Starts a PostgreSQL with the migrated database `TEMPLATE`. */
export async function startPostgres(
  dataDir: string,
  settings: Record<string, string>,
): Promise<Awaited<ReturnType<typeof startEmbeddedPostgres>>> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn: console.warn }, settings });
  await administer(postgres.url, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(databaseUrl(postgres.url, TEMPLATE), path("../../prisma/migrations"));
  return postgres;
}

const databaseUrl = (serverUrl: string, name: string): string =>
  Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;

const administer = (serverUrl: string, text: string): Promise<unknown> =>
  withClient(databaseUrl(serverUrl, "postgres"), (client) => client.query(text));

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
