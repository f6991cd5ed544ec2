import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbeddedPostgres } from "../../apps/server/src/adapters/postgres/embedded-postgres.ts";
import { migrate } from "../../apps/server/src/adapters/postgres/migrate.ts";
import { type Program, startProgram } from "../board/programs.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Memory and log settings for filling; the measurements run with PostgreSQL's defaults. */
const SETTINGS = { max_wal_size: "16GB", wal_level: "minimal", max_wal_senders: "0", maintenance_work_mem: "512MB" };
const TEMPLATE = "growth_template";

export interface ServeOptions {
  main?: string;
  args?: readonly string[];
  env?: Record<string, string>;
}

/** A separate PostgreSQL server, with one database per size. */
export interface World {
  /** Creates a migrated, empty database. */
  database(name: string): Promise<string>;
  drop(name: string): Promise<void>;
  /** Starts the built server on a database; `main` is another build, `args` are Node's. */
  serve(url: string, options?: ServeOptions): Promise<Program>;
}

export async function withWorld<T>(work: (world: World) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "innkey-growth-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn: console.warn }, settings: SETTINGS });
  const urlOf = (name: string): string => Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
  const administer = (text: string): Promise<unknown> => withClient(urlOf("postgres"), (client) => client.query(text));
  let servers = 0;
  try {
    await administer(`CREATE DATABASE ${TEMPLATE}`);
    await migrate(urlOf(TEMPLATE), path("../../prisma/migrations"));
    return await work({
      async database(name) {
        await administer(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
        return urlOf(name);
      },
      drop: async (name) => void (await administer(`DROP DATABASE ${name} WITH (FORCE)`)),
      serve: (url, { main = path("../../apps/server/dist/main.js"), args = [], env = {} } = {}) =>
        startProgram([...args, main, "--empty"], {
          ...{ NODE_ENV: "production", DATABASE_URL: url, DATABASE_POOL: "8", PORT: "0", MQTT_PORT: "0", ...env },
          DATA_DIR: join(dataDir, `server-${++servers}`),
        }),
    });
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
