import { GUEST_MESSAGE_EVENTS, type GuestMessageEvent } from "@innkey/shared/guest-messages";
import type pg from "pg";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

/**
 * SQL: the event of a message about event `event` of stay `s`; null if guests aren't written to about it. `more` has
 * the departure before the change. A stay that is longer is extended; anything else that moves is a change.
 */
const guestEvent = (event: string, more: string): string => `(CASE ${event}
    WHEN 'stay.reserved' THEN 'reserved'
    WHEN 'stay.reinstated' THEN 'reserved'
    WHEN 'stay.checked_in' THEN 'checked_in'
    WHEN 'stay.room_changed' THEN 'changed'
    WHEN 'stay.renewed' THEN CASE WHEN s.state = 'checked_in' AND s.ends_at > (${more} ->> 'previousEndsAt')::timestamptz
      THEN 'extended' ELSE 'changed' END
    WHEN 'stay.cancelled' THEN 'cancelled'
    WHEN 'stay.checked_out' THEN 'checked_out'
  END)::guest_message_event`;

/**
 * SQL: inserts the message to the guest of a stay, if the hotel sends one about the event. The same event at the same
 * time is stored once. The parameters are names of parameters with their types; $1 is the hotel.
 */
export const insertGuestMessage = (of: {
  event: string;
  stayId: string;
  more: string;
  now: string;
  isToGuest: string;
}): string => `
  INSERT INTO guest_message (hotel_id, stay_id, stay_guest_id, event, occurred_at, due_at, created_at)
  SELECT s.hotel_id, s.id, p.stay_guest_id, x.event, ${of.now}, ${of.now}, ${of.now}
    FROM stay s JOIN primary_guest p ON p.stay_id = s.id
    CROSS JOIN LATERAL (SELECT ${guestEvent(of.event, of.more)} AS event) x
    JOIN guest_message_settings m ON m.hotel_id = s.hotel_id AND x.event = ANY (m.events)
   WHERE s.hotel_id = $1 AND s.id = ${of.stayId} AND ${of.isToGuest}
  ON CONFLICT (stay_id, event, occurred_at) DO NOTHING`;

const INSERT_CODE = `
  INSERT INTO guest_message (hotel_id, stay_id, stay_guest_id, event, occurred_at, passcode_id, due_at, created_at)
  SELECT s.hotel_id, s.id, p.stay_guest_id, 'code_changed', $4::timestamptz, $3::int, $4::timestamptz, $4::timestamptz
    FROM stay s JOIN primary_guest p ON p.stay_id = s.id
    JOIN guest_message_settings m ON m.hotel_id = s.hotel_id AND 'code_changed' = ANY (m.events)
   WHERE s.hotel_id = $1 AND s.id = $2::int AND s.state = 'checked_in'
     AND NOT EXISTS (SELECT FROM guest_message o WHERE o.stay_id = s.id AND o.passcode_id = $3::int)
  ON CONFLICT (stay_id, event, occurred_at) DO NOTHING RETURNING id`;

/**
 * Announces a new door code to the guest in whose room it is to open, in the transaction that makes it. The message
 * waits for the lock. Before the guest arrives nothing is written: the message of the check-in contains the code.
 */
export async function announceCode(scope: Scope, tx: Transaction, stayId: number, passcodeId: number): Promise<void> {
  await tx.sql.prepared("announce-code", INSERT_CODE, stayId, passcodeId, scope.now());
}

/**
 * $1: current time. Every reservation that begins within the hotel's time before the arrival, once for each planned
 * arrival: who moves a reservation after its message gets another before the new one.
 */
const INSERT_ARRIVALS = `
  INSERT INTO guest_message (hotel_id, stay_id, stay_guest_id, event, occurred_at, due_at, created_at)
  SELECT s.hotel_id, s.id, p.stay_guest_id, 'before_arrival', s.starts_at, $1, $1
    FROM guest_message_settings m
    JOIN stay s ON s.hotel_id = m.hotel_id AND s.state = 'reserved'
      AND s.starts_at > $1 AND s.starts_at <= $1 + make_interval(hours => m.hours_before)
    JOIN primary_guest p ON p.stay_id = s.id
   WHERE 'before_arrival' = ANY (m.events)
     AND NOT EXISTS (SELECT FROM guest_message o WHERE o.stay_id = s.id AND o.event = 'before_arrival' AND o.occurred_at = s.starts_at)
  ON CONFLICT (stay_id, event, occurred_at) DO NOTHING`;

/** Writes the messages before the arrival that have become due, in every hotel. */
export async function insertArrivals(pool: Pick<pg.Pool, "query">, now: Date): Promise<void> {
  await pool.query(INSERT_ARRIVALS, [now]);
}

const INSERT_BY_HAND = `
  INSERT INTO guest_message (hotel_id, stay_id, stay_guest_id, event, occurred_at, due_at, created_at, operator_id, by_hand)
  VALUES ($1, $2::int, $3::int, $4::guest_message_event, $5::timestamptz, $5::timestamptz, $5::timestamptz, $6::int, true)
  ON CONFLICT (stay_id, event, occurred_at) DO NOTHING RETURNING id`;

/** Writes a message that somebody at the desk sends. Returns its id; null if it was written at this very moment already. */
export async function insertByHand(
  scope: Scope,
  tx: Transaction,
  { stayId, stayGuestId, event }: { stayId: number; stayGuestId: number; event: GuestMessageEvent },
): Promise<number | null> {
  const [row] = await tx.sql.rows<{ id: number }>(
    INSERT_BY_HAND,
    stayId,
    stayGuestId,
    event,
    scope.now(),
    scope.operatorId,
  );
  return row?.id ?? null;
}

/** Returns the events about which a stay's guest can be written to in a state of the stay. */
export function timelyEvents(state: string): GuestMessageEvent[] {
  return GUEST_MESSAGE_EVENTS.filter((event) => STATES[event].includes(state));
}

/** States of a stay in which a message about an event still says what is so. */
const STATES: Record<GuestMessageEvent, readonly string[]> = {
  reserved: ["reserved"],
  changed: ["reserved", "checked_in"],
  cancelled: ["cancelled"],
  before_arrival: ["reserved"],
  checked_in: ["checked_in"],
  code_changed: ["checked_in"],
  extended: ["checked_in"],
  checked_out: ["checked_out"],
};
