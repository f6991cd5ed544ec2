import type { GuestMessageChannel, GuestMessageEvent, GuestMessageSkip } from "@innkey/shared/guest-messages";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { raiseAlert, resolveAlerts } from "../alerts/alerts.service.ts";
import { timelyEvents } from "./insert-messages.ts";

/** A message that is due. */
export interface DueMessage {
  id: number;
  stayId: number;
  stayGuestId: number;
  event: GuestMessageEvent;
  occurredAt: string;
  passcodeId: number | null;
  byHand: boolean;
}

const DUE_LIMIT = 100;

/** Returns messages of all hotels that are due, longest due first. */
export async function dueMessages(
  { pool }: Pick<Database, "pool">,
  now: Date,
): Promise<{ id: number; hotelId: number }[]> {
  const { rows } = await pool.query<{ id: number; hotelId: number }>(
    `SELECT id, hotel_id AS "hotelId" FROM guest_message WHERE state = 'waiting' AND due_at <= $1
      ORDER BY due_at, id LIMIT ${DUE_LIMIT}`,
    [now],
  );
  return rows;
}

const SELECT_DUE = `SELECT id, stay_id AS "stayId", stay_guest_id AS "stayGuestId", event::text AS event,
    iso(occurred_at) AS "occurredAt", passcode_id AS "passcodeId", by_hand AS "byHand"
  FROM guest_message WHERE hotel_id = $1 AND id = $2::int AND state = 'waiting' AND due_at <= $3::timestamptz
  FOR UPDATE SKIP LOCKED`;

/** Locks a message that is due; null if another worker has it or had it. */
export async function selectDueForUpdate(scope: Scope, tx: Transaction, id: number): Promise<DueMessage | null> {
  const [row] = await tx.sql.rows<DueMessage>(SELECT_DUE, id, scope.now());
  return row ?? null;
}

export async function postponeMessage(tx: Transaction, id: number, dueAt: Date): Promise<void> {
  await tx.db.guestMessage.updateMany({ where: { id }, data: { dueAt } });
}

export async function skipMessage(tx: Transaction, id: number, skip: GuestMessageSkip): Promise<void> {
  await tx.db.guestMessage.updateMany({ where: { id }, data: { state: "skipped", skip } });
}

/** Skips the messages of a stay that are to tell codes which another message has told. */
export async function skipIncludedCodes(
  tx: Transaction,
  stayId: number,
  passcodeIds: readonly number[],
): Promise<void> {
  await tx.db.guestMessage.updateMany({
    where: { stayId, event: "code_changed", state: "waiting", passcodeId: { in: [...passcodeIds] } },
    data: { state: "skipped", skip: "included" },
  });
}

/** Returns the events of the stay's earlier messages that still wait. */
export async function earlierWaiting(tx: Transaction, { id, stayId }: DueMessage): Promise<GuestMessageEvent[]> {
  const rows = await tx.db.guestMessage.findMany({
    where: { stayId, state: "waiting", id: { lt: id } },
    select: { event: true },
  });
  return rows.map(({ event }) => event);
}

/** Where a message leads: a room, its door codes and the guest's page. */
export interface WrittenFrom {
  roomId: number;
  passcodeIds: readonly number[];
  hasLink: boolean;
}

const MARK_QUEUED = `UPDATE guest_message m SET message_id = $3::uuid, channel = $4::outgoing_message_channel,
    state = $5::guest_message_state, written_from = jsonb_build_object('roomId', $6::int, 'passcodeIds', to_jsonb($7::int[]), 'linkId',
      (SELECT max(k.id) FROM guest_link k WHERE $8::boolean AND k.stay_guest_id = m.stay_guest_id AND k.revoked_at IS NULL))
  WHERE m.hotel_id = $1 AND m.id = $2::int RETURNING m.id`;

/** Records that a message is in the outbox: to be sent, or for the desk to hand over. */
export async function markQueued(
  tx: Transaction,
  id: number,
  queued: { messageId: string; channel: GuestMessageChannel; toHandOver: boolean },
  { roomId, passcodeIds, hasLink }: WrittenFrom,
): Promise<void> {
  const { messageId, channel, toHandOver } = queued;
  const state = toHandOver ? "to_hand_over" : "queued";
  await tx.sql.rows(MARK_QUEUED, id, messageId, channel, state, roomId, [...passcodeIds], hasLink);
}

/** Records that the desk gave a message to the guest. Returns false if it isn't to be handed over. */
export async function markHandedOver(scope: Scope, tx: Transaction, id: number): Promise<boolean> {
  const sentAt = scope.now();
  const { count } = await tx.db.guestMessage.updateMany({
    where: { id, state: { in: ["to_hand_over", "failed"] } },
    data: { state: "handed_over", sentAt },
  });
  if (count === 0) return false;
  await tx.db.outgoingMessage.updateMany({
    where: { guestMessage: { id }, state: "to_hand_over" },
    data: { state: "sent", sentAt },
  });
  return true;
}

/** SQL: what message `m` about stay `s` was written from is still so. */
const IS_CURRENT = `(m.written_from IS NULL OR (m.written_from ->> 'roomId')::int = s.room_id
  AND (m.written_from ->> 'linkId' IS NULL
    OR EXISTS (SELECT FROM guest_link k WHERE k.id = (m.written_from ->> 'linkId')::int AND k.revoked_at IS NULL))
  AND NOT EXISTS (SELECT FROM jsonb_array_elements_text(m.written_from -> 'passcodeIds') written (id)
    WHERE NOT EXISTS (SELECT FROM passcode p JOIN credential c ON c.passcode_id = p.id AND c.room_id = s.room_id
      WHERE p.id = written.id::int AND p.deleted_at IS NULL AND c.state NOT IN ('revoking', 'revoked'))))`;

const BEFORE_SENDING = `SELECT m.event::text AS event, s.state::text AS state, g.no_messages AS "optedOut",
    g.erased_at IS NOT NULL AS erased,
    o.recipient = CASE o.channel WHEN 'mail' THEN g.email ELSE g.mobile END AND ${IS_CURRENT} AS "isCurrent"
  FROM outgoing_message o JOIN guest_message m ON o.id = m.message_id JOIN stay_now s ON s.id = m.stay_id
  JOIN stay_guest sg ON sg.id = m.stay_guest_id JOIN guest g ON g.id = sg.guest_id WHERE o.id = $1::uuid`;

interface BeforeSending {
  event: GuestMessageEvent;
  state: string;
  optedOut: boolean;
  erased: boolean;
  /** They have this address, and what leads them into the room or to their page hasn't ended. */
  isCurrent: boolean;
}

/**
 * Takes a message out of the outbox if what was so when it was written no longer is: the guest wants none, the stay has
 * moved on, or, so that it is written again, they have another address, or its link, room or code has ended. Returns whether it did. Minutes pass between the
 * tries, and much can change.
 */
export async function withdrawOutdated({ pool, prisma }: Database, messageId: string): Promise<boolean> {
  const { rows } = await pool.query<BeforeSending>(BEFORE_SENDING, [messageId]);
  const [facts] = rows;
  if (!facts) return false;
  const { event, state, optedOut, erased, isCurrent } = facts;
  const skip: GuestMessageSkip | null =
    erased || !timelyEvents(state).includes(event) ? "outdated" : optedOut ? "opted_out" : null;
  if (skip === null && isCurrent) return false;
  const data = skip === null ? { state: "waiting" as const, channel: null } : { state: "skipped" as const, skip };
  await prisma.$transaction([
    prisma.guestMessage.updateMany({ where: { messageId, state: "queued" }, data }),
    prisma.outgoingMessage.deleteMany({ where: { id: messageId } }),
  ]);
  return true;
}

const ALERT_KIND = "guest_message_failed";

/** Messages that no service accepted, to guests whose stay isn't over, and that nothing later replaces. */
const UNDELIVERED = `SELECT m.id FROM guest_message m JOIN stay s ON s.id = m.stay_id
  WHERE m.hotel_id = $1 AND m.state = 'failed' AND s.state IN ('reserved', 'checked_in')
    AND NOT EXISTS (SELECT FROM guest_message o WHERE o.stay_id = m.stay_id AND o.event = m.event AND o.id > m.id
      AND o.state IN ('sent', 'handed_over')) LIMIT 1`;

/** Resolves the alert once every guest in house or expected has got what failed. */
export async function settleFailures(scope: Scope, tx: Transaction): Promise<void> {
  if ((await tx.sql.rows<{ id: number }>(UNDELIVERED)).length > 0) return;
  await resolveAlerts(scope, tx, { kind: ALERT_KIND, lockId: null });
}

const FAILED = `UPDATE guest_message m SET state = 'failed' FROM stay_now s
  WHERE m.hotel_id = $1 AND m.message_id = $2::uuid AND m.state = 'queued' AND s.id = m.stay_id
  RETURNING m.event::text AS event, m.stay_guest_id AS "stayGuestId", s.room_id AS "roomId"`;

/** Records that no service accepts a message, and alerts the desk. The guest's name is read when the alert is shown. */
export async function recordFailed(scope: Scope, tx: Transaction, messageId: string): Promise<void> {
  const [row] = await tx.sql.rows<{ event: string; stayGuestId: number; roomId: number }>(FAILED, messageId);
  if (!row) return;
  const { roomId, ...params } = row;
  await raiseAlert(scope, tx, { kind: ALERT_KIND, lockId: null, roomId, params });
}

/** Days after the end of a stay until the texts of its messages are deleted. */
const TEXT_DAYS = 30;

const DELETE_TEXTS = `DELETE FROM outgoing_message o USING guest_message m JOIN stay s ON s.id = m.stay_id
  WHERE o.id = m.message_id AND s.state NOT IN ('reserved', 'checked_in')
    AND coalesce(s.checked_out_at, s.cancelled_at, s.ends_at) < $1::timestamptz - make_interval(days => ${TEXT_DAYS})
    AND o.created_at < $1::timestamptz - make_interval(days => ${TEXT_DAYS})`;

const DELETE_SENT_CODES = `DELETE FROM outgoing_message o USING passcode p LEFT JOIN stay s ON s.id = p.stay_id
  WHERE o.passcode_id = p.id AND (s.id IS NULL OR s.state NOT IN ('reserved', 'checked_in'))
    AND coalesce(s.checked_out_at, s.cancelled_at, s.ends_at, p.deleted_at, p.valid_to)
      < $1::timestamptz - make_interval(days => ${TEXT_DAYS})
    AND o.created_at < $1::timestamptz - make_interval(days => ${TEXT_DAYS})`;

/**
 * Deletes the texts of messages about stays that have been over for a month, and codes that were handed over with such a stay
 * or ended so long ago; when guests were written to remains.
 */
export async function deleteOldTexts({ pool }: Pick<Database, "pool">, now: Date): Promise<void> {
  await pool.query(DELETE_TEXTS, [now]);
  await pool.query(DELETE_SENT_CODES, [now]);
}

const ERASE_SENT_CODES = `DELETE FROM outgoing_message o USING passcode p JOIN stay_guest sg ON sg.stay_id = p.stay_id
  WHERE o.hotel_id = $1 AND o.passcode_id = p.id AND p.hotel_id = $1 AND sg.guest_id = $2::int
    AND (p.stay_guest_id = sg.id OR sg."primary" AND p.stay_guest_id IS NULL) RETURNING o.id::text AS id`;

/**
 * Deletes every message to a guest, codes of theirs that were handed over, whatever their number was then, and what else was
 * sent to their addresses, except messages to staff and to others who
 * share an address. The caller erases the guest.
 */
export async function eraseMessages(tx: Transaction, guestId: number, addresses: readonly string[]): Promise<void> {
  const messageIds = await deleteMessages(tx, "sg.guest_id", guestId);
  await tx.sql.rows(ERASE_SENT_CODES, guestId);
  await tx.sql.rows(
    `DELETE FROM outgoing_message o WHERE o.hotel_id = $1 AND o.operator_id IS NULL
       AND (o.id = ANY ($2::uuid[]) OR o.recipient = ANY ($3::text[])
         AND NOT EXISTS (SELECT FROM guest_message m WHERE m.message_id = o.id)) RETURNING o.id::text AS id`,
    messageIds,
    addresses.filter((address) => address !== ""),
  );
}

/** Deletes every message to a guest about one stay, sent or not. The caller removes the guest from the stay. */
export async function deleteMessagesOfStay(scope: Scope, tx: Transaction, stayGuestId: number): Promise<void> {
  const messageIds = await deleteMessages(tx, "sg.id", stayGuestId);
  await tx.db.outgoingMessage.deleteMany({ where: { id: { in: messageIds } } });
  await settleFailures(scope, tx);
}

/**
 * Deletes messages and returns the ids of their texts, which the caller deletes with another statement: this one may have
 * waited for a worker that wrote the text meanwhile, and would not see it.
 */
async function deleteMessages(tx: Transaction, column: "sg.id" | "sg.guest_id", id: number): Promise<string[]> {
  const rows = await tx.sql.rows<{ messageId: string | null }>(
    `DELETE FROM guest_message m USING stay_guest sg
      WHERE m.hotel_id = $1 AND sg.id = m.stay_guest_id AND ${column} = $2::int RETURNING m.message_id::text AS "messageId"`,
    id,
  );
  return rows.flatMap(({ messageId }) => messageId ?? []);
}
