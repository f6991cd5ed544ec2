import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../apps/server/src/adapters/postgres/client.ts";
import type { Browser } from "./asking.ts";

const SETTLE_MS = 180_000;
const AT_ONCE = 8;

/** The connection details of a lock. */
export interface LockAccess {
  mac: string;
  user: string;
  password: string;
  pairingSecret: string;
}

/** Adds locks of corridors, lifts and stores until there are `count`. */
export async function fillLocks({ pool }: Database, hotelId: number, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO lock (hotel_id, mac)
     SELECT $1, upper('0e:' || regexp_replace(lpad(to_hex(n), 10, '0'), '(..)(?=.)', '\\1:', 'g'))
       FROM generate_series(1, $2::int - (SELECT count(*)::int FROM lock WHERE hotel_id = $1)) n`,
    [hotelId, count],
  );
  await pool.query("UPDATE lock SET online = false WHERE hotel_id = $1", [hotelId]);
}

/** Requests each lock's password from the console, as an installer does. */
export async function lockAccesses(
  { pool }: Database,
  hotelId: number,
  count: number,
  desk: Browser,
): Promise<LockAccess[]> {
  const { rows } = await pool.query<{ id: number; mac: string }>(
    "SELECT id, mac FROM lock WHERE hotel_id = $1 ORDER BY id LIMIT $2",
    [hotelId, count],
  );
  const accesses: LockAccess[] = [];
  const requestAccesses = async (): Promise<void> => {
    for (let row = rows.pop(); row; row = rows.pop()) {
      const { result } = await desk.change<Omit<LockAccess, "mac">>("locks.connect", { lockId: row.id });
      const { user, password, pairingSecret } = result;
      accesses.push({ mac: row.mac, user, password, pairingSecret });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, requestAccesses));
  return accesses;
}

/** Waits until all locks are online and have no commands pending. @throws Error after three minutes */
export async function waitForLocks({ pool }: Database, hotelId: number): Promise<void> {
  let missing = { offline: 0, commands: 0 };
  for (const end = Date.now() + SETTLE_MS; Date.now() < end; await delay(250)) {
    const { rows } = await pool.query<typeof missing>(
      `SELECT (SELECT count(*)::int FROM lock WHERE hotel_id = $1 AND NOT online) AS offline,
         (SELECT count(*)::int FROM lock_command WHERE hotel_id = $1 AND state IN ('queued', 'sent')) AS commands`,
      [hotelId],
    );
    missing = rows[0] ?? missing;
    if (missing.offline + missing.commands === 0) return;
  }
  throw new Error(`${missing.offline} locks are offline and ${missing.commands} commands pending after three minutes`);
}
