import type { Scope } from "../../../kernel/scope.ts";

/**
 * Rows per transaction. One takes some hundred milliseconds, so other writers don't wait long for the hotel's state
 * row.
 */
const MAX_ROWS_PER_BATCH = 5_000;

/**
 * $2: the instant before which records are deleted, $3: where the previous batch ended (null: first batch), $4: the
 * batch size. Each batch starts where the last one ended, because the index still contains the deleted rows and
 * skipping them would cost more with every batch.
 */
const DELETE_RECORDS = `
  WITH deleted AS (
    DELETE FROM unlock_record WHERE id IN (
      SELECT id FROM unlock_record WHERE hotel_id = $1 AND at < $2::timestamptz AND ($3::timestamptz IS NULL OR at >= $3::timestamptz)
      ORDER BY at, id LIMIT $4::int)
    RETURNING at
  )
  SELECT count(*)::int AS records, iso(max(at)) AS last FROM deleted`;

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
export async function deleteOldRecords(scope: Scope, maxRows = MAX_ROWS_PER_BATCH): Promise<number> {
  let total = 0;
  for (let from: string | null = null; ; ) {
    const batch: Batch | null = await deleteBatch(scope, from, maxRows);
    total += batch?.records ?? 0;
    if (!batch || batch.records < maxRows) return total;
    from = batch.last;
  }
}

/** Reads the setting for each batch, because it may change during a run. */
async function deleteBatch(scope: Scope, from: string | null, maxRows: number): Promise<Batch | null> {
  return scope.write(async (tx) => {
    const [row] = await tx.sql.rows<{ months: number | null; before: string | null }>(RETENTION, scope.now());
    if (!row || row.months === null) return null;
    const [batch] = await tx.sql.rows<Batch>(DELETE_RECORDS, row.before, from, maxRows);
    if (!batch || batch.records === 0) return null;
    const after = { months: row.months, records: batch.records, before: row.before };
    tx.audit({ action: "privacy.dropRecords", entity: "hotel", entityId: scope.hotelId, after });
    return batch;
  });
}
