import type pg from "pg";
import { z } from "zod";
import type { SealContext, SecretBox } from "../../../kernel/secret-box.ts";

/** Newest entry of a hotel's audit at some moment: its sequence number and its hash in hex. */
export interface AuditHead {
  seq: string;
  hash: string;
}

/** Heads by hotel. */
type Heads = ReadonlyMap<number, AuditHead>;
type Client = Pick<pg.ClientBase, "query">;

/** Message of the log line that records the head of a hotel's audit. */
export const HEAD_MESSAGE = "audit head";
/** The same message in logs of earlier versions. */
const EARLIER_HEAD_MESSAGE = "where the journal stands";

/** The table has a single row. */
const ROW = 1;
const CONTEXT: SealContext = { column: "audit_head.heads_box", hotelId: null, row: ROW };
const sealedHeads = z.array(z.tuple([z.int(), z.string(), z.string()]));

/** Returns null if no heads were ever stored, and "unreadable" if this installation's keys cannot open them. */
export async function readHeads(client: Client, box: SecretBox): Promise<Heads | null | "unreadable"> {
  const { rows } = await client.query<{ box: Buffer }>("SELECT heads_box AS box FROM audit_head WHERE id = $1", [ROW]);
  const [row] = rows;
  if (!row) return null;
  const text = box.open(row.box, CONTEXT);
  if (text === null) return "unreadable";
  return new Map(sealedHeads.parse(JSON.parse(text)).map(([hotelId, seq, hash]) => [hotelId, { seq, hash }]));
}

export async function writeHeads(client: Client, box: SecretBox, heads: Heads, at: Date): Promise<void> {
  const entries = [...heads].map(([hotelId, { seq, hash }]) => [hotelId, seq, hash]);
  await client.query(
    `INSERT INTO audit_head (id, noted_at, heads_box) VALUES ($1, $2::timestamptz, $3)
      ON CONFLICT (id) DO UPDATE SET noted_at = excluded.noted_at, heads_box = excluded.heads_box`,
    [ROW, at, box.seal(JSON.stringify(entries), CONTEXT)],
  );
}

/** Checks whether the entry still exists with the same hash. */
export async function entryExists(client: Client, hotelId: number, { seq, hash }: AuditHead): Promise<boolean> {
  if (seq === "0") return true;
  const { rows } = await client.query<{ hash: string }>(
    "SELECT encode(hash, 'hex') AS hash FROM audit_entry WHERE hotel_id = $1 AND seq = $2::bigint",
    [hotelId, seq],
  );
  return rows[0]?.hash === hash;
}

interface LoggedHead extends AuditHead {
  hotelId: number;
}

const loggedHead = z.object({
  hotelId: z.int().positive(),
  seq: z.string().regex(/^\d{1,19}$/),
  hash: z.string().regex(/^[\da-f]{64}$/),
  msg: z.enum([HEAD_MESSAGE, EARLIER_HEAD_MESSAGE]),
});

/** Returns the distinct heads found in the lines of a server log. A line may begin with the name of its container. */
export async function readLoggedHeads(lines: AsyncIterable<string> | Iterable<string>): Promise<LoggedHead[]> {
  const heads = new Map<string, LoggedHead>();
  for await (const line of lines) {
    if (!line.includes(HEAD_MESSAGE) && !line.includes(EARLIER_HEAD_MESSAGE)) continue;
    const { success, data } = loggedHead.safeParse(parseJson(line.slice(line.indexOf("{"))));
    if (!success) continue;
    const { hotelId, seq, hash } = data;
    heads.set(`${hotelId} ${seq} ${hash}`, { hotelId, seq, hash });
  }
  return [...heads.values()];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the heads that match no current audit entry, because the entry was deleted or replaced. */
export async function findMissingHeads(client: Client, heads: readonly LoggedHead[]): Promise<LoggedHead[]> {
  const missing: LoggedHead[] = [];
  for (const head of heads) if (!(await entryExists(client, head.hotelId, head))) missing.push(head);
  return missing;
}

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
  head: AuditHead;
}

export const isWhole = ({ brokenAt, endMissing, rewritten }: ChainReport): boolean =>
  brokenAt === null && !endMissing && !rewritten;

type ChainDatabase = { pool: Pick<pg.ClientBase, "query"> };

/**
 * Rows per statement: about half a second. A single statement over years of entries would exceed the statement limit.
 */
const BATCH = 20_000;

/** Link that the first row of a chain follows. */
const BEGINNING: Link = { seq: "0", hash: Buffer.alloc(32) };
const LOWEST_SEQ = "-9223372036854775808";

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
 * The same formula as in the database function that writes the chain (prisma/migrations). That function is not called
 * here, because an attacker may have replaced it.
 */
const ENTRY_HASH = `pg_catalog.sha256(e.prev_hash || pg_catalog.convert_to(pg_catalog.jsonb_build_array(
  e.hotel_id, e.seq, extract(epoch FROM e.at), e.actor_kind, e.actor_id, e.actor_name, e.door, e.address, e.request_id,
  e.action, e.entity, e.entity_id, e.before, e.after)::text, 'UTF8'))`;

/**
 * $2: first sequence number, $3 and $4: number and hash of the row before it, $5: batch size. Selects by a range of
 * numbers, which has no gaps unless someone tampered with it. With LIMIT, a planner without statistics would sort all
 * remaining rows each time.
 */
const VERIFY = `
  WITH start AS (
    SELECT min(seq) AS seq FROM audit_entry WHERE hotel_id = $1::int AND seq >= $2::bigint
  ), batch AS (
    SELECT e.seq, e.hash, e.prev_hash, ${ENTRY_HASH} AS computed
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
export async function verifyChains({ pool }: ChainDatabase, box: SecretBox, batch = BATCH): Promise<ChainReport[]> {
  // The heads are read before the chains, because heads recorded in the meantime belong to a later end.
  const heads = await readHeads(pool, box);
  const { rows: hotels } = await pool.query<Pick<ChainReport, "hotelId" | "hotelName">>(HOTELS);
  const missing =
    heads instanceof Map ? [...heads.keys()].filter((id) => hotels.every(({ hotelId }) => hotelId !== id)) : [];
  const reports: ChainReport[] = [];
  for (const hotel of [...hotels, ...missing.map((hotelId) => ({ hotelId, hotelName: "a deleted hotel" }))]) {
    const { hotelId } = hotel;
    const head = heads instanceof Map ? heads.get(hotelId) : undefined;
    const rewritten = heads === "unreadable" || (head !== undefined && !(await entryExists(pool, hotelId, head)));
    reports.push({ ...hotel, ...(await verifyChain(pool, hotelId, batch)), rewritten });
  }
  return reports;
}

/** The hotel may add entries meanwhile, so each batch reads the recorded end in the same statement as its rows. */
async function verifyChain(
  pool: ChainDatabase["pool"],
  hotelId: number,
  batch: number,
): Promise<Pick<ChainReport, "entries" | "brokenAt" | "endMissing" | "head">> {
  let [from, last, entries] = [LOWEST_SEQ, BEGINNING, 0];
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

const headOf = ({ seq, hash }: Link): AuditHead => ({ seq, hash: hash.toString("hex") });
