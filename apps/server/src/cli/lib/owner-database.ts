import pg from "pg";
import type { Config } from "../../config.ts";
import { startEmbeddedPostgres } from "../../infra/embedded-postgres.ts";
import { BackupRuns } from "../../modules/backups/backup-runs.ts";

export interface OwnerDatabase {
  /** what the server works with */
  serverUrl: string;
  /** the same as its owner, where that is another role */
  url: string;
  close(): Promise<void>;
}

/** As it is, without bringing it up to date. `share`: a server may be running on the PostgreSQL inside. */
export async function openOwnerDatabase(config: Config, { share }: { share: boolean }): Promise<OwnerDatabase> {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl: serverUrl, databaseMigrationUrl: url = serverUrl } = config;
    return { serverUrl, url, close: async () => undefined };
  }
  const log = { info: () => undefined, warn: console.warn };
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, share });
  return { serverUrl: postgres.serverUrl, url: postgres.url, close: () => postgres.stop() };
}

/** What is remembered of backups; null in a database of a version that remembered none. */
export async function withBackupRuns<T>(url: string, use: (runs: BackupRuns | null) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: "innkey backup" });
  pool.on("error", () => undefined); // said by the query that needs it
  try {
    const { rows } = await pool.query<{ there: boolean }>(
      "SELECT to_regclass('public.backup_run') IS NOT NULL AS there",
    );
    return await use(rows[0]?.there ? new BackupRuns({ pool }) : null);
  } finally {
    await pool.end();
  }
}

/** Runs an operator's command and ends the process: with its answer, or 1 and the reason in plain words. */
export async function endWith(work: () => Promise<number>): Promise<never> {
  let code = 1;
  try {
    code = await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  process.exit(code);
}
