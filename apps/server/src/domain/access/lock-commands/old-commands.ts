import type pg from "pg";

const RETENTION_DAYS = 90;
const ROWS_AT_ONCE = 1_000;

/** Walks through the commands in the order of `seq` and deletes those that are no longer needed. */
const DROP = `
  WITH old AS (
    SELECT * FROM lock_command
    WHERE seq > $1::bigint AND created_at < $2::timestamptz - interval '${RETENTION_DAYS} days' ORDER BY seq LIMIT ${ROWS_AT_ONCE}
  ), dropped AS (
    DELETE FROM lock_command k USING old
    WHERE k.id = old.id AND k.state NOT IN ('queued', 'sent')
      AND coalesce(k.ended_at, k.created_at) < $2::timestamptz - interval '${RETENTION_DAYS} days'
      AND NOT EXISTS (SELECT FROM credential t WHERE t.id = k.credential_id AND t.state <> 'revoked')
      AND (k.type NOT IN ('block_card', 'allow_card') OR k.state = 'superseded' OR (
        NOT EXISTS (SELECT FROM card c
              WHERE c.hotel_id = k.hotel_id AND 'card:' || c.uid = k.subject AND c.state <> 'revoked')
        AND (EXISTS (SELECT FROM lock_command n
               WHERE n.lock_id = k.lock_id AND n.subject = k.subject AND n.seq > k.seq AND n.state <> 'superseded')
          OR (k.expires_at < $2::timestamptz
            AND NOT EXISTS (SELECT FROM lock_command b
                  WHERE b.lock_id = k.lock_id AND b.subject = k.subject AND b.seq < k.seq AND b.state <> 'superseded')))))
    RETURNING k.id
  )
  SELECT (SELECT max(seq)::text FROM old) AS last, (SELECT count(*)::int FROM dropped) AS dropped`;

/**
 * Deletes commands that ended 90 days ago, in batches. Three groups stay. Commands of a credential that may still open
 * show whether it was ever sent to the lock. The latest command about a card's number shows which locks refuse it. All
 * commands about a card that is not yet revoked stay too. Returns the number of deleted commands.
 */
export async function dropOldCommands(pool: pg.Pool, now: Date): Promise<number> {
  let total = 0;
  for (let from = "0"; ; ) {
    const { rows } = await pool.query<{ last: string | null; dropped: number }>(DROP, [from, now.toISOString()]);
    const [batch] = rows;
    if (!batch || batch.last === null) return total;
    total += batch.dropped;
    from = batch.last;
  }
}
