import type pg from "pg";
import { z } from "zod";
import type { SealContext, SecretBox } from "../../../kernel/secret-box.ts";

/** Newest entry of a hotel's audit at some moment: its sequence number and its hash in hex. */
export interface Head {
  seq: string;
  hash: string;
}

type Heads = ReadonlyMap<number, Head>;
type Client = Pick<pg.ClientBase, "query">;

/** Message of the log line that records the head of a hotel's audit. */
export const HEAD_LOGGED = "where the journal stands";

/** The table has a single row. */
const ROW = 1;
const CONTEXT: SealContext = { column: "audit_head.heads_box", hotelId: null, row: ROW };
const sealedHeads = z.array(z.tuple([z.int(), z.string(), z.string()]));

/** Returns null if no heads were ever stored, and "unreadable" if this installation's keys cannot open them. */
export async function readHeads(client: Client, box: SecretBox): Promise<Heads | null | "unreadable"> {
  const { rows } = await client.query<{ box: Buffer }>("SELECT heads_box AS box FROM audit_head WHERE id = $1", [ROW]);
  const [row] = rows;
  if (!row) return null;
  const opened = box.open(row.box, CONTEXT);
  if (opened === null) return "unreadable";
  return new Map(sealedHeads.parse(JSON.parse(opened)).map(([hotelId, seq, hash]) => [hotelId, { seq, hash }]));
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
export async function isStillThere(client: Client, hotelId: number, { seq, hash }: Head): Promise<boolean> {
  if (seq === "0") return true;
  const { rows } = await client.query<{ hash: string }>(
    "SELECT encode(hash, 'hex') AS hash FROM audit_entry WHERE hotel_id = $1 AND seq = $2::bigint",
    [hotelId, seq],
  );
  return rows[0]?.hash === hash;
}

export interface LoggedHead extends Head {
  hotelId: number;
}

const loggedHead = z.object({
  hotelId: z.int().positive(),
  seq: z.string().regex(/^\d{1,19}$/),
  hash: z.string().regex(/^[\da-f]{64}$/),
  msg: z.literal(HEAD_LOGGED),
});

/** Returns the distinct heads found in the lines of a server log. A line may begin with the name of its container. */
export async function readLoggedHeads(lines: AsyncIterable<string> | Iterable<string>): Promise<LoggedHead[]> {
  const heads = new Map<string, LoggedHead>();
  for await (const line of lines) {
    if (!line.includes(HEAD_LOGGED)) continue;
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
  for (const head of heads) if (!(await isStillThere(client, head.hotelId, head))) missing.push(head);
  return missing;
}
