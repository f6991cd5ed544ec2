import type { CardEvent, StayEvent } from "@innkey/shared/webhook-events";
import type pg from "pg";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { insertGuestMessage } from "../guest-messages/insert-messages.ts";

/**
 * Inserts a row for every active webhook that subscribes to an event, in one statement. `source` has the columns
 * hotel_id, event, data and turn (the order of sending); `now` is the parameter with the current time. A trigger
 * notifies the senders at commit.
 */
export const insertDeliveries = (source: string, now: string): string => `
  INSERT INTO webhook_delivery (id, hotel_id, webhook_id, event, payload, created_at)
  SELECT gen_random_uuid(), e.hotel_id, w.id, e.event, e.data, ${now}
  FROM (${source}) e
  JOIN webhook w ON w.hotel_id = e.hotel_id AND w.disabled_at IS NULL AND e.event = ANY (w.events)
  ORDER BY e.turn, w.id`;

/**
 * Checks whether any webhook of hotel `hotelId` subscribes to one of the events, for statements that would otherwise
 * prepare data in vain.
 */
export const hasSubscriber = (hotelId: string, events: readonly string[]): string =>
  `EXISTS (SELECT FROM webhook w WHERE w.hotel_id = ${hotelId} AND w.disabled_at IS NULL
    AND w.events && ARRAY[${events.map((event) => `'${event}'`).join(", ")}])`;

/** Data announced about alert `m`. */
const ALERT_DATA = `jsonb_build_object('alertId', m.id, 'kind', m.kind, 'lockId', m.lock_id, 'roomId', m.room_id,
  'roomName', (SELECT name FROM room WHERE id = m.room_id), 'details', m.params, 'count', m.count,
  'firstAt', iso(m.first_at), 'lastAt', iso(m.last_at), 'resolvedAt', iso(m.resolved_at))`;

/**
 * Selects the events of the alerts in CTE `source` that meet `condition`. Alerts about failing webhooks are left out,
 * because webhooks would announce their own failures.
 */
export const selectAlertEvents = (
  event: "alert.raised" | "alert.resolved",
  source: string,
  condition = "true",
): string =>
  `SELECT m.hotel_id, '${event}' AS event, ${ALERT_DATA} AS data, m.id AS turn
    FROM ${source} m WHERE m.kind <> 'webhook_failing' AND ${condition}`;

/**
 * Announces an event of a stay to other programs and, if the hotel writes to guests about it, to its guest. The rows are
 * written in the event's transaction and sent after commit. The same statement reads the data, so it is as current as the event: ids, names, rooms and times, but never a
 * code, key, document or phone number. `more` adds what only the caller knows; `isQuiet` means that the guest is not
 * written to, because the desk only records what was agreed elsewhere. Writes nothing if no webhook subscribes
 * to the event, and the hotel sends no message about it.
 */
export async function announceStay(
  scope: Scope,
  tx: Transaction,
  event: StayEvent,
  stayId: number,
  more: Readonly<Record<string, unknown>> = {},
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<void> {
  const text = JSON.stringify(more);
  await tx.sql.prepared("announce-stay", ANNOUNCE_STAY, event, stayId, text, scope.now(), !isQuiet);
}

/** Like `announceStay`, for cards. Their numbers are left out, because a number can open a door. */
export async function announceCards(
  scope: Scope,
  tx: Transaction,
  event: CardEvent,
  cardIds: readonly number[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (cardIds.length === 0) return;
  await tx.sql.rows(ANNOUNCE_CARDS, event, cardIds, JSON.stringify(more), scope.now());
}

const PRIMARY_GUEST = (stayId: string): string => `(SELECT g.name FROM primary_guest g WHERE g.stay_id = ${stayId})`;

/** $2: event, $3: the stay, $4: data that the caller adds, $5: current time. */
const STAY = `
  SELECT s.hotel_id, $2::text AS event, s.id AS turn, jsonb_build_object('stayId', s.id, 'state', s.state,
      'roomId', s.room_id, 'roomName', r.name, 'guestName', ${PRIMARY_GUEST("s.id")},
      'startsAt', iso(s.starts_at), 'endsAt', iso(s.ends_at), 'checkedInAt', iso(s.checked_in_at),
      'checkedOutAt', iso(s.checked_out_at), 'cancelledAt', iso(s.cancelled_at)) || $4::jsonb AS data
  FROM stay_now s
  JOIN room r ON r.id = s.room_id
  WHERE s.hotel_id = $1 AND s.id = $3::int`;

/** Like STAY, for several cards. */
const CARDS = `
  SELECT c.hotel_id, $2::text AS event, c.id AS turn, jsonb_build_object('cardId', c.id, 'kind', c.kind,
      'overTheAir', c.over_the_air, 'stayId', c.stay_id, 'guestName', ${PRIMARY_GUEST("c.stay_id")},
      'rooms', (SELECT coalesce(jsonb_agg(jsonb_build_object('roomId', r.id, 'roomName', r.name) ORDER BY r.id), '[]')
        FROM card_room cr JOIN room r ON r.id = cr.room_id WHERE cr.card_id = c.id),
      'validFrom', iso(c.valid_from), 'validTo', iso(c.valid_to)) || $4::jsonb AS data
  FROM card c WHERE c.hotel_id = $1 AND c.id = ANY ($3::int[])`;

const ANNOUNCE_STAY = `WITH message AS (${insertGuestMessage({ event: "$2::text", stayId: "$3::int", more: "$4::jsonb", now: "$5::timestamptz", isToGuest: "$6::boolean" })})
  ${insertDeliveries(STAY, "$5::timestamptz")} RETURNING id::text`;
const ANNOUNCE_CARDS = `${insertDeliveries(CARDS, "$5::timestamptz")} RETURNING id::text`;

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
    name: "announce-unlocks",
    text: insertDeliveries(RECORDS, "$3::timestamptz"),
    values: [records.map(({ lockId }) => lockId), records.map(({ number }) => number), now.toISOString()],
  });
}

/** Announces the cards that door records have shown to be written, in the transaction that detected this. */
export async function announceIssued(
  client: pg.ClientBase,
  hotelId: number,
  cardIds: readonly number[],
  now: Date,
): Promise<void> {
  const values = [hotelId, "card.issued", cardIds, "{}", now.toISOString()];
  await client.query(insertDeliveries(CARDS, "$5::timestamptz"), values);
}
