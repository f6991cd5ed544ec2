import type pg from "pg";

export interface ChainReport {
  hotelId: number;
  hotelName: string;
  entries: number;
  /** sequence number of the first row that doesn't fit; null where the chain is whole */
  brokenAt: string | null;
  /** the newest row is not the one the hotel's state remembers: rows at the end are missing or were put there */
  endMissing: boolean;
}

const VERIFY = `
  WITH chain AS (
    SELECT e.hotel_id, e.seq, e.hash, e.prev_hash, audit_hash(e) AS computed,
      lag(e.hash) OVER older AS hash_before, lag(e.seq) OVER older AS seq_before
    FROM audit_entry e WINDOW older AS (PARTITION BY e.hotel_id ORDER BY e.seq)
  ), seen AS (
    SELECT hotel_id, count(*)::int AS entries, max(seq) AS last_seq,
      min(seq) FILTER (WHERE hash <> computed OR seq <> coalesce(seq_before, 0) + 1
        OR prev_hash <> coalesce(hash_before, decode(repeat('00', 32), 'hex'))) AS broken_at
    FROM chain GROUP BY hotel_id
  )
  SELECT h.id AS "hotelId", h.name AS "hotelName", coalesce(s.entries, 0) AS entries, s.broken_at::text AS "brokenAt",
    coalesce(s.last_seq, 0) <> hs.audit_seq
      OR NOT EXISTS (SELECT FROM audit_entry e WHERE e.hotel_id = h.id AND e.seq = hs.audit_seq AND e.hash = hs.audit_hash)
        AND hs.audit_seq > 0 AS "endMissing"
  FROM hotel h JOIN hotel_state hs ON hs.hotel_id = h.id LEFT JOIN seen s ON s.hotel_id = h.id ORDER BY h.id`;

/** Recomputes every hotel's journal chain with the function that wrote it (prisma/migrations). */
export async function verifyChains({ pool }: { pool: Pick<pg.ClientBase, "query"> }): Promise<ChainReport[]> {
  return (await pool.query<ChainReport>(VERIFY)).rows;
}
