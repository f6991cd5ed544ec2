import type { Database } from "../../../adapters/postgres/client.ts";

export interface LastBackup {
  /** when the newest good one was begun: what came later is not in it; null: there is none yet */
  at: Date | null;
  bytes: number | null;
  /** when that one was restored for a try, and was whole; null: not yet */
  verifiedAt: Date | null;
  /** when any backup was last restored for a try, and was whole; null: none ever was */
  lastVerifiedAt: Date | null;
  /** why the newest attempt failed, or why the newest backup is none to rely on; null where all is well */
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

/** How backups stand, for whoever watches over the system; null where none was ever tried. */
export async function lastBackup({ pool }: Pick<Database, "pool">): Promise<LastBackup | null> {
  const { rows } = await pool.query<LastBackup>(LAST);
  return rows[0] ?? null;
}
