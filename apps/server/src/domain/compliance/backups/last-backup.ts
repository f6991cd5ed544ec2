import type { Database } from "../../../adapters/postgres/client.ts";

export interface LastBackup {
  /** Start of the newest good backup, which contains nothing later; null if there is none yet. */
  at: Date | null;
  bytes: number | null;
  /** When that backup passed a trial restore; null if it has not yet. */
  verifiedAt: Date | null;
  /** When any backup last passed a trial restore; null if none ever did. */
  lastVerifiedAt: Date | null;
  /** Why the newest attempt failed or the newest backup is not reliable; null if all is well. */
  error: string | null;
}

const LAST = `
  SELECT good.started_at AS "at", good.bytes::float8 AS bytes, good.verified_at AS "verifiedAt",
    (SELECT max(verified_at) FROM backup_run WHERE error IS NULL) AS "lastVerifiedAt", newest.error
  FROM (SELECT error FROM backup_run WHERE ended_at IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1) newest
  LEFT JOIN (
    SELECT started_at, bytes, verified_at FROM backup_run
    WHERE ended_at IS NOT NULL AND error IS NULL ORDER BY started_at DESC, id DESC LIMIT 1
  ) good ON true`;

/** Returns the status of backups for monitoring; null if none was ever attempted. */
export async function lastBackup({ pool }: Pick<Database, "pool">): Promise<LastBackup | null> {
  const { rows } = await pool.query<LastBackup>(LAST);
  return rows[0] ?? null;
}
