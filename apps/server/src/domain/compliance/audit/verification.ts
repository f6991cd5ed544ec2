import type pg from "pg";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import { type Head, isStillThere, readHeads } from "./heads.ts";

export interface ChainReport {
  hotelId: number;
  hotelName: string;
  entries: number;
  /** Sequence number of the first row that breaks the chain; null if the chain is intact. */
  brokenAt: string | null;
  /** The newest row is not the one recorded in the hotel's state, so rows at the end were deleted or added. */
  endMissing: boolean;
  /** The entry that was newest at the last check is missing or differs, even though the chain may be consistent. */
  rewritten: boolean;
  /** Newest entry of the chain. */
  head: Head;
}

export const isWhole = ({ brokenAt, endMissing, rewritten }: ChainReport): boolean =>
  brokenAt === null && !endMissing && !rewritten;

type Client = { pool: Pick<pg.ClientBase, "query"> };

/**
 * Rows per statement: about half a second. A single statement over years of entries would exceed the statement limit.
 */
const BATCH = 20_000;

/** Link that the first row of a chain follows. */
const BEGINNING: Link = { seq: "0", hash: Buffer.alloc(32) };
const LOWEST = "-9223372036854775808";

/** The part of a row that the next row depends on. */
interface Link {
  seq: string;
  hash: Buffer;
}

interface Batch {
  entries: number;
  brokenAt: string | null;
  /** Null in an empty batch. */
  lastSeq: string | null;
  lastHash: Buffer | null;
  /** There are more rows after this batch. */
  more: boolean;
  /** Newest entry according to the hotel's state, read in the same statement. */
  stateSeq: string;
  stateHash: Buffer;
}

/**
 * The same formula as the database function that writes the chain (prisma/migrations). We don't call that function,
 * because an attacker may have replaced it.
 */
const COMPUTED = `pg_catalog.sha256(e.prev_hash || pg_catalog.convert_to(pg_catalog.jsonb_build_array(
  e.hotel_id, e.seq, extract(epoch FROM e.at), e.actor_kind, e.actor_id, e.actor_name, e.door, e.address, e.request_id,
  e.action, e.entity, e.entity_id, e.before, e.after)::text, 'UTF8'))`;

/**
 * $2: first sequence number, $3 and $4: number and hash of the row before it, $5: batch size. We select by a range of
 * numbers, which has no gaps unless someone tampered with it. With LIMIT, a planner without statistics would sort all
 * remaining rows each time.
 */
const VERIFY = `
  WITH start AS (
    SELECT min(seq) AS seq FROM audit_entry WHERE hotel_id = $1::int AND seq >= $2::bigint
  ), batch AS (
    SELECT e.seq, e.hash, e.prev_hash, ${COMPUTED} AS computed
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
  SELECT h.id AS "hotelId", h.name AS "hotelName" FROM hotel h ORDER BY h.id`;

/**
 * Recomputes every hotel's chain, `batch` rows at a time, and compares it with the heads recorded at the last check,
 * which `box` opens. Hotels that were deleted, or whose state is missing, are reported too.
 */
export async function verifyChains({ pool }: Client, box: SecretBox, batch = BATCH): Promise<ChainReport[]> {
  // The heads are read before the chains, because heads recorded in the meantime belong to a later end.
  const heads = await readHeads(pool, box);
  const { rows: hotels } = await pool.query<Pick<ChainReport, "hotelId" | "hotelName">>(HOTELS);
  const missing =
    heads instanceof Map ? [...heads.keys()].filter((id) => hotels.every(({ hotelId }) => hotelId !== id)) : [];
  const reports: ChainReport[] = [];
  for (const hotel of [...hotels, ...missing.map((hotelId) => ({ hotelId, hotelName: "a hotel that is gone" }))]) {
    const { hotelId } = hotel;
    const head = heads instanceof Map ? heads.get(hotelId) : undefined;
    const rewritten = heads === "unreadable" || (head !== undefined && !(await isStillThere(pool, hotelId, head)));
    reports.push({ ...hotel, ...(await verifyChain(pool, hotelId, batch)), rewritten });
  }
  return reports;
}

/** The hotel may add entries meanwhile, so each batch reads the recorded end in the same statement as its rows. */
async function verifyChain(
  pool: Client["pool"],
  hotelId: number,
  batch: number,
): Promise<Pick<ChainReport, "entries" | "brokenAt" | "endMissing" | "head">> {
  let [from, last, entries] = [LOWEST, BEGINNING, 0];
  let brokenAt: string | null = null;
  for (;;) {
    const { rows } = await pool.query<Batch>(VERIFY, [hotelId, from, last.seq, last.hash, batch]);
    const [row] = rows;
    if (!row) return { entries, brokenAt, endMissing: true, head: headOf(last) };
    const { lastSeq, lastHash, stateSeq, stateHash } = row;
    entries += row.entries;
    brokenAt ??= row.brokenAt;
    if (lastSeq !== null && lastHash !== null) last = { seq: lastSeq, hash: lastHash };
    if (row.more) {
      from = String(BigInt(last.seq) + 1n);
      continue;
    }
    const endMissing = last.seq !== stateSeq || (stateSeq !== BEGINNING.seq && !last.hash.equals(stateHash));
    return { entries, brokenAt, endMissing, head: headOf(last) };
  }
}

const headOf = ({ seq, hash }: Link): Head => ({ seq, hash: hash.toString("hex") });
