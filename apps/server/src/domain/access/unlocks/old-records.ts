import type { Scope } from "../../../kernel/scope.ts";

/**
 * Rows per transaction. One takes some hundred milliseconds, so other writers don't wait long for the hotel's state
 * row.
 */
const ROWS_AT_ONCE = 5_000;

/**
 * $2: the instant before which records are deleted, $3: where the previous batch ended (null: first batch), $4: the
 * batch size. Each batch starts where the last one ended, because the index still contains the deleted rows and
 * skipping them would cost more with every batch.
 */
const DROP = `
  WITH gone AS (
    DELETE FROM unlock_record WHERE id IN (
      SELECT id FROM unlock_record WHERE hotel_id = $1 AND at < $2::timestamptz AND ($3::timestamptz IS NULL OR at >= $3::timestamptz)
      ORDER BY at, id LIMIT $4::int)
    RETURNING at
  )
  SELECT count(*)::int AS records, iso(max(at)) AS last FROM gone`;

const RETENTION = `SELECT record_months AS months, iso($2::timestamptz - make_interval(months => record_months)) AS before
  FROM hotel WHERE id = $1`;

interface Batch {
  records: number;
  last: string | null;
}

/**
 * Deletes door records older than the hotel's retention period, in batches that are each audited. Returns the number of
 * deleted records; 0 for a hotel that keeps all. The next run continues an interrupted one.
 */
export async function dropOldRecords(scope: Scope, atOnce = ROWS_AT_ONCE): Promise<number> {
  let total = 0;
  for (let from: string | null = null; ; ) {
    const removed: Batch | null = await takeBatch(scope, from, atOnce);
    total += removed?.records ?? 0;
    if (!removed || removed.records < atOnce) return total;
    from = removed.last;
  }
}

/** Reads the setting for each batch, because it may change during a run. */
async function takeBatch(scope: Scope, from: string | null, atOnce: number): Promise<Batch | null> {
  return scope.write(async (tx) => {
    const [row] = await tx.sql.rows<{ months: number | null; before: string | null }>(RETENTION, scope.now());
    if (!row || row.months === null) return null;
    const [batch] = await tx.sql.rows<Batch>(DROP, row.before, from, atOnce);
    if (!batch || batch.records === 0) return null;
    const after = { months: row.months, records: batch.records, before: row.before };
    tx.audit({ action: "privacy.dropRecords", entity: "hotel", entityId: scope.hotelId, after });
    return batch;
  });
}
