import type pg from "pg";
import { insertDeliveries } from "./deliveries.sql.ts";

/**
 * Events for doors that were opened or refused to open. `HOLD_LOCKS` uses the names to check first whether any webhook
 * subscribes to them.
 */
export const UNLOCK_EVENTS = ["unlock.opened", "unlock.refused"] as const;

/** $1: locks, $2: numbers of their records, $3: current time. */
const RECORDS = `
  SELECT u.hotel_id, CASE WHEN u.success THEN 'unlock.opened' ELSE 'unlock.refused' END AS event, e.turn,
    jsonb_build_object('recordId', u.id, 'lockId', u.lock_id, 'roomId', u.room_id, 'roomName', r.name, 'at', iso(u.at),
      'style', u.style, 'reason', u.reason, 'cardId', u.card_id, 'stayId', sg.stay_id, 'guestName', g.name,
      'operatorName', o.name) AS data
  FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS e (lock_id, lock_seq, turn)
  JOIN unlock_record u ON u.lock_id = e.lock_id AND u.lock_seq = e.lock_seq
  LEFT JOIN room r ON r.id = u.room_id
  LEFT JOIN stay_guest sg ON sg.id = u.stay_guest_id
  LEFT JOIN guest g ON g.id = sg.guest_id
  LEFT JOIN operator o ON o.id = u.operator_id`;

/** Announces unlock records that were just stored, in the same transaction, with one statement per batch. */
export async function announceUnlocks(
  client: pg.ClientBase,
  records: readonly { lockId: number; number: number }[],
  now: Date,
): Promise<void> {
  if (records.length === 0) return;
  await client.query({
    name: "unlocks-tell",
    text: insertDeliveries(RECORDS, "$3::timestamptz"),
    values: [records.map(({ lockId }) => lockId), records.map(({ number }) => number), now.toISOString()],
  });
}
