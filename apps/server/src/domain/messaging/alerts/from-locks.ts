import type pg from "pg";
import { alarms, insertDeliveries } from "../webhooks/deliveries.sql.ts";
import { COUNTED_AS_ONE, type Notice, RAISED } from "./raise-alerts.ts";

/** An alert caused by a lock's own report, in any hotel; at most one of each kind per lock. */
export interface LockAlert extends Notice {
  hotelId: number;
  lockId: number;
  /** How often the cause was reported. */
  count: number;
}

/** Raises the alerts of many locks at once, inside the caller's transaction. */
export async function raiseAll(client: pg.ClientBase, alerts: readonly LockAlert[], now: Date): Promise<void> {
  if (alerts.length === 0) return;
  await client.query(
    `WITH raised AS (
       INSERT INTO alert (hotel_id, kind, lock_id, room_id, params, count, first_at, last_at)
       SELECT m."hotelId", m.kind, m."lockId", m."roomId", m.params, m.count, $2::timestamptz, $2::timestamptz
         FROM jsonb_to_recordset($1::jsonb)
           AS m ("hotelId" int, kind alert_kind, "lockId" int, "roomId" int, params jsonb, count int)
       ${COUNTED_AS_ONE} ${RAISED})
     ${insertDeliveries(alarms("alert.raised", "raised", "m.fresh"), "$2::timestamptz")}`,
    [JSON.stringify(alerts), now.toISOString()],
  );
  await notifyHotels(client, alerts);
}

/** Resolves the low-battery alerts of locks whose batteries are good again. */
export async function resolveBatteryLow(
  client: pg.ClientBase,
  locks: readonly { lockId: number; hotelId: number }[],
  now: Date,
): Promise<void> {
  if (locks.length === 0) return;
  const { rows } = await client.query<{ hotelId: number }>(
    `WITH resolved AS (
       UPDATE alert SET resolved_at = $3::timestamptz
        WHERE hotel_id = ANY ($1::int[]) AND kind = 'battery_low' AND lock_id = ANY ($2::int[]) AND resolved_at IS NULL
        RETURNING *), told AS (${insertDeliveries(alarms("alert.resolved", "resolved"), "$3::timestamptz")})
     SELECT hotel_id AS "hotelId" FROM resolved`,
    [locks.map(({ hotelId }) => hotelId), locks.map(({ lockId }) => lockId), now.toISOString()],
  );
  await notifyHotels(client, rows);
}

async function notifyHotels(client: pg.ClientBase, of: readonly { hotelId: number }[]): Promise<void> {
  const hotelIds = [...new Set(of.map(({ hotelId }) => hotelId))];
  await client.query(
    "SELECT pg_notify('innkey', jsonb_build_object('topic', 'alerts', 'hotelId', h)::text) FROM unnest($1::int[]) AS h",
    [hotelIds],
  );
}
