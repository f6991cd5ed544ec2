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

type Client = { pool: Pick<pg.ClientBase, "query"> };

/** Rows that one statement recomputes: about half a second, where a journal of years would be cut off by the statement limit. */
const BATCH = 20_000;

/** What the first row of a chain follows. */
const BEGINNING: Link = { seq: "0", hash: Buffer.alloc(32) };
const LOWEST = "-9223372036854775808";

/** A row as the next one sees it. */
interface Link {
  seq: string;
  hash: Buffer;
}

interface Batch {
  entries: number;
  brokenAt: string | null;
  /** null in an empty batch */
  lastSeq: string | null;
  lastHash: Buffer | null;
  /** there are rows after these */
  more: boolean;
  /** what the hotel's state remembers in the same instant */
  stateSeq: string;
  stateHash: Buffer;
}

/**
 * $2 from which number, $3 and $4 number and hash of the row before, $5 how many. By a range of numbers, which are without
 * gaps unless somebody made one: with LIMIT a planner without statistics would sort all that is left, each time.
 */
const VERIFY = `
  WITH start AS (
    SELECT min(seq) AS seq FROM audit_entry WHERE hotel_id = $1::int AND seq >= $2::bigint
  ), batch AS (
    SELECT e.seq, e.hash, e.prev_hash, audit_hash(e) AS computed
    FROM audit_entry e WHERE e.hotel_id = $1::int AND e.seq BETWEEN (SELECT seq FROM start)
      AND (SELECT least(seq::numeric + $5::int - 1, 9223372036854775807)::bigint FROM start)
  ), chain AS (
    SELECT seq, hash, hash <> computed OR seq <> lag(seq, 1, $3::bigint) OVER older + 1
      OR prev_hash <> lag(hash, 1, $4::bytea) OVER older AS broken
    FROM batch WINDOW older AS (ORDER BY seq)
  ), newest AS (SELECT seq, hash FROM chain ORDER BY seq DESC LIMIT 1)
  SELECT (SELECT count(*)::int FROM chain) AS entries, (SELECT min(seq)::text FROM chain WHERE broken) AS "brokenAt",
    (SELECT seq::text FROM newest) AS "lastSeq", (SELECT hash FROM newest) AS "lastHash",
    coalesce((SELECT max(seq) FROM audit_entry WHERE hotel_id = $1::int) > (SELECT seq FROM newest), false) AS more,
    audit_seq::text AS "stateSeq", audit_hash AS "stateHash"
  FROM hotel_state WHERE hotel_id = $1::int`;

const HOTELS = `
  SELECT h.id AS "hotelId", h.name AS "hotelName" FROM hotel h JOIN hotel_state s ON s.hotel_id = h.id ORDER BY h.id`;

/** Recomputes every hotel's journal chain with the function that wrote it (prisma/migrations), `batch` rows at a time. */
export async function verifyChains({ pool }: Client, batch = BATCH): Promise<ChainReport[]> {
  const { rows: hotels } = await pool.query<Pick<ChainReport, "hotelId" | "hotelName">>(HOTELS);
  const reports: ChainReport[] = [];
  for (const hotel of hotels) reports.push({ ...hotel, ...(await verifyChain(pool, hotel.hotelId, batch)) });
  return reports;
}

/** Desks may write meanwhile: the end is compared in the instant in which it was reached. */
async function verifyChain(
  pool: Client["pool"],
  hotelId: number,
  batch: number,
): Promise<Pick<ChainReport, "entries" | "brokenAt" | "endMissing">> {
  let [from, last, entries] = [LOWEST, BEGINNING, 0];
  let brokenAt: string | null = null;
  for (;;) {
    const { rows } = await pool.query<Batch>(VERIFY, [hotelId, from, last.seq, last.hash, batch]);
    const [found] = rows;
    if (!found) return { entries, brokenAt, endMissing: true };
    const { lastSeq, lastHash, stateSeq, stateHash } = found;
    entries += found.entries;
    brokenAt ??= found.brokenAt;
    if (lastSeq !== null && lastHash !== null) last = { seq: lastSeq, hash: lastHash };
    if (found.more) {
      from = String(BigInt(last.seq) + 1n);
      continue;
    }
    const endMissing = last.seq !== stateSeq || (stateSeq !== BEGINNING.seq && !last.hash.equals(stateHash));
    return { entries, brokenAt, endMissing };
  }
}
