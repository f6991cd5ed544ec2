import pg from "pg";
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded-postgres.ts";
import type { Config } from "../../config.ts";
import { BackupRuns } from "../../domain/compliance/backups/backup-runs.ts";

export interface OwnerDatabase {
  /** URL with the server's role */
  serverUrl: string;
  /** URL with the owner's role; the same if there is only one role */
  url: string;
  close(): Promise<void>;
}

/** Opens the database without migrating it. `share`: a server may be running on the embedded PostgreSQL. */
export async function openOwnerDatabase(config: Config, { share }: { share: boolean }): Promise<OwnerDatabase> {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl: serverUrl, databaseMigrationUrl: url = serverUrl } = config;
    return { serverUrl, url, close: async () => undefined };
  }
  const log = { info: () => undefined, warn: console.warn };
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, share });
  return { serverUrl: postgres.serverUrl, url: postgres.url, close: () => postgres.stop() };
}

/** Provides the records of backups; null if the database's version has none. */
export async function withBackupRuns<T>(url: string, use: (runs: BackupRuns | null) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: "innkey backup" });
  pool.on("error", () => undefined); // The query that needs the connection throws this error
  try {
    const { rows } = await pool.query<{ there: boolean }>(
      "SELECT to_regclass('public.backup_run') IS NOT NULL AS there",
    );
    return await use(rows[0]?.there ? new BackupRuns({ pool }) : null);
  } finally {
    await pool.end();
  }
}

/** Runs an operator's command and ends the process with its result, or with 1 and the error message. */
export async function endWith(work: () => Promise<number>): Promise<never> {
  let code = 1;
  try {
    code = await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  process.exit(code);
}
