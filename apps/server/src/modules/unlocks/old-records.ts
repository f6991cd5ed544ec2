import type { Scope } from "../../core/scope.ts";

/** In one transaction: some hundred milliseconds, so that nobody who writes waits long for the hotel's one state row. */
const ROWS_AT_ONCE = 5_000;

/**
 * $2 the end of what goes, $3 where the batch before ended (null: none was), $4 how many. Begins where the last one ended:
 * the index still has what was deleted a moment ago, and passing over it each time would cost more with every batch.
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
 * Deletes door records older than the hotel keeps them, batch by batch, each journalled with what it took; returns how many
 * went. Nothing for a hotel that keeps all. What was cut short is taken by the next run.
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

/** The setting is asked for each batch: it may have been changed while a run was on its way. */
async function takeBatch(scope: Scope, from: string | null, atOnce: number): Promise<Batch | null> {
  return scope.write(async (unit) => {
    const [kept] = await unit.sql.rows<{ months: number | null; before: string | null }>(RETENTION, scope.now());
    if (!kept || kept.months === null) return null;
    const [batch] = await unit.sql.rows<Batch>(DROP, kept.before, from, atOnce);
    if (!batch || batch.records === 0) return null;
    const after = { months: kept.months, records: batch.records, before: kept.before };
    unit.journal({ action: "privacy.dropRecords", entity: "hotel", entityId: scope.hotelId, after });
    return batch;
  });
}
