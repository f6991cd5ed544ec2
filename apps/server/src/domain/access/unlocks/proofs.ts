import type pg from "pg";
import { raiseAll, resolveBatteryLow } from "../../messaging/public.ts";
import { touchBoards } from "../../property/public.ts";
import { isSameItem, unmanagedOf, unmanagedParams } from "../lock-commands/compare-inventory.ts";
import type { LockChange } from "./lock-change.ts";

/** Writes the rarer consequences of a batch. Each step queries the database only if something has to change. */
export async function prove(client: pg.ClientBase, changes: readonly LockChange[], now: Date): Promise<void> {
  await spendCodes(client, changes);
  await settleCards(client, changes, now);
  await closeBreakers(client, changes, now);
  await noteUnknownKeys(client, changes, now);
  await raiseAll(
    client,
    changes.flatMap(({ lock, alerts }) => alerts.map((alert) => ({ ...alert, ...lockOf(lock) }))),
    now,
  );
  await resolveBatteryLow(
    client,
    changes.flatMap(({ lock, batteryRecovered }) => (batteryRecovered ? [lockOf(lock)] : [])),
    now,
  );
  const batteryChanges = changes.filter(({ lock, power }) => lock.roomId !== null && power !== lock.power);
  if (batteryChanges.length > 0) await touchBoards(client, hotelsOf(batteryChanges));
}

const lockOf = ({ id, hotelId, roomId }: LockChange["lock"]) => ({ lockId: id, hotelId, roomId });
const hotelsOf = (changes: readonly LockChange[]): number[] => [...new Set(changes.map(({ lock }) => lock.hotelId))];

/**
 * Marks a one-time code that opened a door as used up, and with it all earlier codes of this lock, because the counter
 * only rises (RFC 4226).
 */
async function spendCodes(client: pg.ClientBase, changes: readonly LockChange[]): Promise<void> {
  const spent = changes.flatMap(({ lock, spentCodes }) => spentCodes.map((code) => ({ lockId: lock.id, ...code })));
  if (spent.length === 0) return;
  await client.query(
    `UPDATE credential t SET state = 'revoked', revoked_at = coalesce(t.revoked_at, x.at),
       revoke_reason = CASE WHEN t.revoke_reason IS NULL AND p.otp_counter < x.counter THEN 'superseded'::revoke_reason ELSE t.revoke_reason END
     FROM passcode p, (
       SELECT lock_id, max(counter) AS counter, max(at) AS at
       FROM unnest($1::int[], $2::bigint[], $3::timestamptz[]) AS s (lock_id, counter, at) GROUP BY lock_id
     ) x
     WHERE t.lock_id = x.lock_id AND t.state <> 'revoked' AND p.id = t.passcode_id AND p.type = 'one_time'
       AND p.otp_counter <= x.counter`,
    [spent.map(({ lockId }) => lockId), spent.map(({ counter }) => counter), spent.map(({ at }) => at.toISOString())],
  );
}

/**
 * A newer card raised the floor of a lock, so revoked cards below it may no longer open any door (the rule is view
 * card_risk).
 */
async function settleCards(client: pg.ClientBase, changes: readonly LockChange[], now: Date): Promise<void> {
  const risen = changes.filter(({ lock, guestFloor }) => guestFloor > lock.guestFloor);
  if (risen.length === 0) return;
  await client.query(
    `UPDATE card c SET state = 'revoked' WHERE c.hotel_id = ANY ($1::int[]) AND c.state = 'revoking'
       AND NOT EXISTS (SELECT FROM card_risk k WHERE k.hotel_id = c.hotel_id AND k.card_id = c.id
         AND (k.ends_at IS NULL OR k.ends_at > $2::timestamptz))`,
    [hotelsOf(risen), now.toISOString()],
  );
}

/**
 * Closes the breakers of locks that reported events: their waiting commands become due, and the workers are notified at
 * commit.
 */
async function closeBreakers(client: pg.ClientBase, changes: readonly LockChange[], now: Date): Promise<void> {
  const closed = changes.filter(({ lock }) => lock.stopped);
  for (const hotelId of hotelsOf(closed)) {
    const lockIds = closed.filter(({ lock }) => lock.hotelId === hotelId).map(({ lock }) => lock.id);
    await client.query(
      "UPDATE lock_command SET next_try_at = $2::timestamptz WHERE lock_id = ANY ($1::int[]) AND state = 'queued' AND next_try_at > $2::timestamptz",
      [lockIds, now.toISOString()],
    );
    await client.query("SELECT pg_notify('innkey', $1)", [JSON.stringify({ topic: "locks", hotelId, lockIds })]);
  }
}

/** Limit of unknown keys per lock. Staff will check the lock long before it is reached. */
const MAX_UNKNOWN_KEYS = 20;

/**
 * Records keys that opened a door but were not issued by this console. They are shown with their lock, which is read
 * back soon (read-backs.ts). Each is reported once, until staff or the lock settle it.
 */
async function noteUnknownKeys(client: pg.ClientBase, changes: readonly LockChange[], now: Date): Promise<void> {
  const changesWithUnknownKeys = changes.filter(({ unknownKeys }) => unknownKeys.length > 0);
  if (changesWithUnknownKeys.length === 0) return;
  const { rows } = await client.query<{ id: number; unmanaged: unknown }>(
    "SELECT id, unmanaged FROM lock WHERE id = ANY ($1::int[])",
    [changesWithUnknownKeys.map(({ lock }) => lock.id)],
  );
  const before = new Map(rows.map((row) => [row.id, unmanagedOf(row)]));
  const alerts: Parameters<typeof raiseAll>[1][number][] = [];
  for (const { lock, unknownKeys } of changesWithUnknownKeys) {
    const items = before.get(lock.id) ?? [];
    const fresh = unknownKeys.filter((key) => !items.some((item) => isSameItem(item, key)));
    const room = MAX_UNKNOWN_KEYS - items.filter(({ heardAt, adopted }) => heardAt !== null && !adopted).length;
    const added = fresh.slice(0, Math.max(0, room)).map((key) => ({ ...key, heardAt: now.toISOString() }));
    if (added.length === 0) continue;
    const all = [...items, ...added];
    await client.query("UPDATE lock SET unmanaged = $2::jsonb WHERE id = $1", [lock.id, JSON.stringify(all)]);
    const params = unmanagedParams(all.filter(({ adopted }) => !adopted));
    alerts.push({ kind: "unmanaged_code", count: 1, params, ...lockOf(lock) });
  }
  await raiseAll(client, alerts, now);
}
