import type pg from "pg";
import type { SecretBox } from "../../core/secret-box.ts";
import { type Head, isStillThere, readHeads } from "./heads.ts";

export interface ChainReport {
  hotelId: number;
  hotelName: string;
  entries: number;
  /** sequence number of the first row that doesn't fit; null where the chain is whole */
  brokenAt: string | null;
  /** the newest row is not the one the hotel's state remembers: rows at the end are missing or were put there */
  endMissing: boolean;
  /** what was the newest row when the journals were last looked at is gone or another, though the chain may fit */
  rewritten: boolean;
  /** where it stands now */
  head: Head;
}

export const isWhole = ({ brokenAt, endMissing, rewritten }: ChainReport): boolean =>
  brokenAt === null && !endMissing && !rewritten;

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

/** As the function that writes the chain has it (prisma/migrations), and not by that function: somebody may have replaced it. */
const COMPUTED = `pg_catalog.sha256(e.prev_hash || pg_catalog.convert_to(pg_catalog.jsonb_build_array(
  e.hotel_id, e.seq, extract(epoch FROM e.at), e.actor_kind, e.actor_id, e.actor_name, e.door, e.address, e.request_id,
  e.action, e.entity, e.entity_id, e.before, e.after)::text, 'UTF8'))`;

/**
 * $2 from which number, $3 and $4 number and hash of the row before, $5 how many. By a range of numbers, which are without
 * gaps unless somebody made one: with LIMIT a planner without statistics would sort all that is left, each time.
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
 * Recomputes every hotel's journal chain, `batch` rows at a time, and compares it with where it stood when it was last
 * looked at: `box` opens that. A hotel whose state is gone, or that is gone itself, is reported too.
 */
export async function verifyChains({ pool }: Client, box: SecretBox, batch = BATCH): Promise<ChainReport[]> {
  // Before the chains are read: what is noted meanwhile is of a later end.
  const heads = await readHeads(pool, box);
  const { rows: hotels } = await pool.query<Pick<ChainReport, "hotelId" | "hotelName">>(HOTELS);
  const gone =
    heads instanceof Map ? [...heads.keys()].filter((id) => hotels.every(({ hotelId }) => hotelId !== id)) : [];
  const reports: ChainReport[] = [];
  for (const hotel of [...hotels, ...gone.map((hotelId) => ({ hotelId, hotelName: "a hotel that is gone" }))]) {
    const { hotelId } = hotel;
    const head = heads instanceof Map ? heads.get(hotelId) : undefined;
    const rewritten = heads === "unreadable" || (head !== undefined && !(await isStillThere(pool, hotelId, head)));
    reports.push({ ...hotel, ...(await verifyChain(pool, hotelId, batch)), rewritten });
  }
  return reports;
}

/** Desks may write meanwhile: the end is compared in the instant in which it was reached. */
async function verifyChain(
  pool: Client["pool"],
  hotelId: number,
  batch: number,
): Promise<Pick<ChainReport, "entries" | "brokenAt" | "endMissing" | "head">> {
  let [from, last, entries] = [LOWEST, BEGINNING, 0];
  let brokenAt: string | null = null;
  for (;;) {
    const { rows } = await pool.query<Batch>(VERIFY, [hotelId, from, last.seq, last.hash, batch]);
    const [found] = rows;
    if (!found) return { entries, brokenAt, endMissing: true, head: headOf(last) };
    const { lastSeq, lastHash, stateSeq, stateHash } = found;
    entries += found.entries;
    brokenAt ??= found.brokenAt;
    if (lastSeq !== null && lastHash !== null) last = { seq: lastSeq, hash: lastHash };
    if (found.more) {
      from = String(BigInt(last.seq) + 1n);
      continue;
    }
    const endMissing = last.seq !== stateSeq || (stateSeq !== BEGINNING.seq && !last.hash.equals(stateHash));
    return { entries, brokenAt, endMissing, head: headOf(last) };
  }
}

const headOf = ({ seq, hash }: Link): Head => ({ seq, hash: hash.toString("hex") });
