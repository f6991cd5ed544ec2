import type { LockEvent } from "@innkey/shared/locks/protocol";
import type pg from "pg";
import { columnText } from "../../../adapters/postgres/columns.ts";
import { announceUnlocks, hasSubscriber, UNLOCK_EVENTS } from "../../messaging/public.ts";
import type { ReceivedEvent } from "../lock-links/driver.ts";
import {
  type AlertingCard,
  alertOfCards,
  applyRareConsequences,
  confirmWrittenCards,
  type LockChange,
  type LockRowForEvents,
  lockChange,
  type ReportedEvent,
  type StoredEvent,
} from "./event-consequences.ts";

/** A lock's clock before this instant was never set. */
const CLOCKS_BEGIN = Date.parse("2020-01-01T00:00:00.000Z");
/** Largest value of the field in a card record (source: domain rules, Cards). */
const MAX_SEQUENCE = 0xffff;

/**
 * Converts a lock's event to the stored form. If its time lies in the future or before any clock was set, the time of
 * receipt is used, so that no record is later than now.
 */
export function toReportedEvent(lockId: number, log: string | null, event: ReceivedEvent, now: Date): ReportedEvent {
  const { seq, success, credential: presented } = event;
  const at = Date.parse(event.at);
  const isPlausible = at >= CLOCKS_BEGIN && at <= now.getTime();
  return {
    lockId,
    log,
    seq,
    at: isPlausible ? new Date(at) : now,
    lockTime: new Date(at),
    style: presented?.kind === "command" ? "remote" : event.style,
    success,
    reason: success ? "" : (event.reason ?? ""),
    uid: presented?.kind === "card" ? presented.uid.toUpperCase().replace(/[^0-9A-F]/g, "") : null,
    cardKind: presented?.kind === "card" ? (presented.card ?? null) : null,
    slot: presented?.kind === "slot" ? presented.slot : null,
    counter: presented?.kind === "otp" ? presented.counter : null,
    commandId: presented?.kind === "command" ? presented.id : null,
    cardSequence: success ? sequenceOf(presented) : null,
    alarm: event.alarm ?? null,
    power: event.power ?? null,
    foreignKey: event.foreignKey ?? null,
  };
}

/** Returns the sequence that a guest's card presented; null for any other key and for an impossible number. */
function sequenceOf(presented: LockEvent["credential"]): ReportedEvent["cardSequence"] {
  if (presented?.kind !== "card" || presented.sequence === undefined || presented.card !== "guest") return null;
  return presented.sequence < 0 || presented.sequence > MAX_SEQUENCE ? null : presented.sequence;
}

/**
 * An event with the number under which it is stored: the lock's own number plus the base of the log that it comes from.
 */
interface NumberedEvent {
  event: ReportedEvent;
  lock: LockRowForEvents;
  base: number;
  number: number;
}

interface Log {
  lockId: number;
  log: string;
}
const logKey = ({ lockId, log }: Log): string => `${lockId}/${log}`;

const BASES = `
  SELECT k.lock_id AS "lockId", k.log, k.base::float8 AS base
  FROM lock_log k JOIN unnest($1::int[], $2::text[]) AS x (lock_id, log) ON k.lock_id = x.lock_id AND k.log = x.log`;

/**
 * Numbers the events of locks whose rows are locked. Events of a new log start far above all stored numbers, so that a
 * lock that counts from the beginning again is not mistaken for one that repeats itself. If a lock names too many new
 * logs in a day, the events of the excess logs are dropped and `untrusted` contains the lock.
 */
async function numberEvents(
  client: pg.ClientBase,
  reported: readonly ReportedEvent[],
  locks: ReadonlyMap<number, LockRowForEvents>,
  now: Date,
): Promise<{ numbered: NumberedEvent[]; untrusted: ReadonlySet<number> }> {
  const others = new Map<string, Log>();
  for (const { lockId, log } of reported) {
    const lock = locks.get(lockId);
    if (lock && log !== null && log !== lock.eventLog) others.set(logKey({ lockId, log }), { lockId, log });
  }
  const bases = others.size > 0 ? await basesOf(client, [...others.values()], now) : new Map<string, number>();
  const untrusted = new Set<number>();
  const numbered = reported.flatMap((event): NumberedEvent[] => {
    const lock = locks.get(event.lockId);
    if (!lock) return [];
    const { lockId, log, seq } = event;
    const base = log === null || log === lock.eventLog ? lock.eventBase : bases.get(logKey({ lockId, log }));
    if (base === undefined) {
      untrusted.add(lockId);
      return [];
    }
    return [{ event, lock, base, number: base + seq }];
  });
  return { numbered, untrusted };
}

async function basesOf(client: pg.ClientBase, logs: readonly Log[], now: Date): Promise<Map<string, number>> {
  const values = [logs.map(({ lockId }) => lockId), logs.map(({ log }) => log)];
  await client.query("SELECT begin_lock_logs($1::int[], $2::text[], $3::timestamptz)", [...values, now.toISOString()]);
  const { rows } = await client.query<Log & { base: number }>(BASES, values);
  return new Map(rows.map((row) => [logKey(row), row.base]));
}

/**
 * $1: lock ids. Rows are locked in the order of ids, as everywhere, to avoid deadlocks. The later statements of
 * the batch see what was committed before the rows were locked.
 */
const SELECT_LOCKS_FOR_UPDATE = `
  SELECT id, hotel_id AS "hotelId", room_id AS "roomId", door_id AS "doorId", driver::text AS driver, power,
    event_seq::float8 AS "eventSeq", event_log AS "eventLog",
    event_base::float8 AS "eventBase", drift_seconds AS "driftSeconds", guest_floor AS "guestFloor", otp_next::float8 AS "otpNext",
    (SELECT coalesce(max(c.sequence), 0) FROM card c WHERE c.lock_number = lock.id) AS "everIssued",
    (SELECT coalesce(max(c.sequence), 0) FROM card c WHERE c.lock_number = lock.id
       AND (lock.sequence_from IS NULL OR c.created_at >= lock.sequence_from)) AS issued,
    otp_floor::float8 AS "otpFloor", breaker_opened_at IS NOT NULL AS "isBreakerOpen",
    ${hasSubscriber("lock.hotel_id", UNLOCK_EVENTS)} AS "hasSubscriber"
  FROM lock WHERE id = ANY ($1::int[]) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`;

/**
 * $1: locks, $2: numbers of their events, $3: commands that the events name, $4: times of the events, $5: now. A lock's
 * report is only a claim: the command must be an unlock sent to this lock at about that time, and each opens once.
 * Either the lock's clock or ours may show the time, because one may be wrong and the other late.
 */
const CLAIM_OPENINGS = `
  UPDATE lock_command k SET opening_number = e.number
  FROM (
    SELECT DISTINCT ON (x.lock_id, x.id) x.* FROM unnest($1::int[], $2::bigint[], $3::uuid[], $4::timestamptz[])
      AS x (lock_id, number, id, at) ORDER BY x.lock_id, x.id, x.number
  ) e
  WHERE k.id = e.id AND k.lock_id = e.lock_id AND k.type = 'unlock' AND k.sent_at IS NOT NULL
    AND coalesce(k.opening_number, e.number) = e.number
    AND (e.at BETWEEN k.created_at - interval '5 minutes' AND k.sent_at + interval '10 minutes'
      OR $5::timestamptz BETWEEN k.created_at AND k.sent_at + interval '10 minutes')
  RETURNING k.lock_id AS "lockId", k.opening_number::float8 AS number, k.id AS "commandId"`;

/**
 * Inserts the events that are not stored yet and resolves what they refer to. The card is found by its number (of
 * several issues, those of the kind that the lock reported come first, then the newest that existed then), the credential by its slot, its card or its one-time counter. The
 * staff member is found by the claimed command (`CLAIM_OPENINGS`), the guest by the stay of the card or credential. The
 * time of a late event is used if it is not before the preceding event. Each parameter is one column of the batch, and
 * $14 is now. Returns the new records.
 */
const INSERT_RECORDS = `
  INSERT INTO unlock_record (lock_id, hotel_id, room_id, lock_seq, at, style, success, reason, source,
    operator_id, stay_guest_id, card_id, credential_id, received_at, opening_reason, opening_note, happened_at, door_id)
  SELECT e.lock_id, e.hotel_id, e.room_id, e.seq, e.at, e.style, e.success, e.reason, e.source,
    k.created_by_id, g.stay_guest_id, coalesce(c.id, t.card_id), t.id, $14::timestamptz,
    k.opening_reason, coalesce(k.opening_note, ''),
    CASE WHEN e.late IS NULL THEN NULL
      WHEN (SELECT e.late >= coalesce(b.happened_at, b.received_at) FROM unlock_record b
        WHERE b.lock_id = e.lock_id AND b.lock_seq < e.seq ORDER BY b.lock_seq DESC LIMIT 1) THEN e.late END,
    e.door_id
  FROM unnest($1::int[], $2::int[], $3::int[], $4::bigint[], $5::timestamptz[], $6::unlock_style[], $7::boolean[],
      $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::uuid[], $15::timestamptz[], $16::int[], $17::text[])
    WITH ORDINALITY AS e (lock_id, hotel_id, room_id, seq, at, style, success, reason, source, uid, slot, counter, command_id, late, door_id, card_kind, turn)
  LEFT JOIN LATERAL (
    SELECT c.id, c.stay_id FROM card c WHERE c.hotel_id = e.hotel_id AND c.uid = e.uid
    ORDER BY c.kind::text IS NOT DISTINCT FROM coalesce(e.card_kind, c.kind::text) DESC, (c.created_at <= e.at) DESC, c.id DESC LIMIT 1
  ) c ON true
  LEFT JOIN LATERAL (
    SELECT t.id, t.stay_id, t.card_id FROM credential t WHERE t.id = e.slot AND t.lock_id = e.lock_id
    UNION ALL
    SELECT t.id, t.stay_id, t.card_id FROM credential t
    WHERE t.lock_id = e.lock_id AND t.card_id = c.id AND t.state <> 'revoked'
    UNION ALL
    SELECT t.id, t.stay_id, t.card_id FROM credential t JOIN passcode p ON p.id = t.passcode_id
    WHERE e.counter IS NOT NULL AND t.lock_id = e.lock_id AND p.otp_counter = e.counter
    LIMIT 1
  ) t ON true
  LEFT JOIN lock_command k ON k.id = e.command_id AND k.lock_id = e.lock_id
  LEFT JOIN primary_guest g ON g.stay_id = coalesce(c.stay_id, t.stay_id)
  ORDER BY e.turn
  ON CONFLICT (lock_id, lock_seq) DO NOTHING
  RETURNING lock_id AS "lockId", lock_seq::float8 AS number, card_id AS "cardId", credential_id AS "credentialId"`;

/**
 * Whether an unlock is the first proof that the lock has credential `t`. It then confirms the window being sent; a lock
 * that had an earlier window may have opened because of that one.
 */
const FIRST_PROOF = "(t.state IN ('queued', 'sent') AND t.at_lock_from IS NULL)";

/**
 * $1: now; $2–$6: locks; $7, $8 cards and $9, $10 credentials with the time they last opened a door; $11: notifications
 * for open consoles. An unlock never changes the state of a credential that is being revoked or that the lock refused.
 * Returns the cards whose writing is not confirmed, and the emergency and spare cards.
 */
const UPDATE_LAST_USE = `
  WITH updated_locks AS (
    UPDATE lock l SET last_seen_at = $1::timestamptz, failures = 0, breaker_opened_at = NULL, event_seq = x.event_seq,
      power = x.power, guest_floor = x.guest_floor, otp_floor = x.otp_floor
    FROM unnest($2::int[], $3::bigint[], $4::int[], $5::int[], $6::bigint[])
      AS x (id, event_seq, power, guest_floor, otp_floor)
    WHERE l.id = x.id
  ), used_cards AS (
    UPDATE card c SET used_at = greatest(c.used_at, x.at)
    FROM unnest($7::int[], $8::timestamptz[]) AS x (id, at) WHERE c.id = x.id RETURNING c.id, c.state, c.note,
      CASE WHEN c.kind = 'emergency' THEN 'emergency_opened' WHEN c.spare_number IS NOT NULL THEN 'spare_opened' END AS alert
  ), used_credentials AS (
    UPDATE credential t SET used_at = greatest(t.used_at, x.at),
      state = CASE WHEN t.state = 'confirmed' OR ${FIRST_PROOF} THEN 'used' ELSE t.state END,
      at_lock_from = CASE WHEN ${FIRST_PROOF} THEN t.valid_from ELSE t.at_lock_from END,
      at_lock_to = CASE WHEN ${FIRST_PROOF} THEN t.valid_to ELSE t.at_lock_to END
    FROM unnest($9::int[], $10::timestamptz[]) AS x (id, at) WHERE t.id = x.id
  )
  SELECT NULL::int AS "cardId", NULL::text AS alert, NULL::text AS name, pg_notify('innkey', notice)::text AS notified
    FROM unnest($11::text[]) AS notice
  UNION ALL SELECT id, alert, note, NULL FROM used_cards WHERE state = 'pending' OR alert IS NOT NULL`;

/** An event received within this time in milliseconds is not late. */
const LATE_MS = 60_000;

/** Largest number of rooms and locks in one notification, since its payload is limited to 8000 bytes. */
const MAX_ANNOUNCED = 200;

/**
 * Stores a batch and all its consequences inside the caller's transaction. Events that are already stored change
 * nothing. Returns the ids of the locks that exist.
 */
export async function storeEvents(
  client: pg.ClientBase,
  reported: readonly ReportedEvent[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const lockIds = [...new Set(reported.map(({ lockId }) => lockId))];
  const lockRows = await client.query<LockRowForEvents>({
    name: "ingest-select-locks",
    text: SELECT_LOCKS_FOR_UPDATE,
    values: [lockIds],
  });
  const locks = new Map(lockRows.rows.map((lock) => [lock.id, lock]));
  if (locks.size === 0) return new Set();
  const { numbered, untrusted } = await numberEvents(client, reported, locks, now);
  const stored = await insertRecords(client, await checkCommands(client, numbered, now), now);
  const changes = lockRows.rows.map((lock) => lockChange(lock, stored.get(lock.id) ?? [], untrusted.has(lock.id)));
  const newEvents = [...stored.values()].flat();
  const { unconfirmed, alerting } = await recordLastUse(client, changes, newEvents, now);
  await applyRareConsequences(client, changes, now);
  await alertOfCards(client, changes, newEvents, alerting, now);
  await confirmWrittenCards(
    client,
    newEvents.filter(({ cardId }) => cardId !== null && unconfirmed.has(cardId)),
    now,
  );
  const announced = changes.flatMap(({ lock }) => (lock.hasSubscriber ? (stored.get(lock.id) ?? []) : []));
  await announceUnlocks(client, announced, now);
  return new Set(locks.keys());
}

/**
 * Removes the command from events that name one which did not open their door at that time. How the door was opened is
 * then unknown.
 */
async function checkCommands(
  client: pg.ClientBase,
  numbered: readonly NumberedEvent[],
  now: Date,
): Promise<readonly NumberedEvent[]> {
  const commandEvents = numbered.filter(({ event }) => event.commandId !== null);
  if (commandEvents.length === 0) return numbered;
  const { rows } = await client.query<{ lockId: number; number: number; commandId: string }>(CLAIM_OPENINGS, [
    commandEvents.map(({ lock }) => lock.id),
    commandEvents.map(({ number }) => number),
    commandEvents.map(({ event }) => event.commandId),
    commandEvents.map(({ event }) => event.at.toISOString()),
    now.toISOString(),
  ]);
  const claimed = new Map(rows.map(({ lockId, number, commandId }) => [`${lockId}/${number}`, commandId]));
  return numbered.map((entry): NumberedEvent => {
    const { event, lock, number } = entry;
    if (event.commandId === null || claimed.get(`${lock.id}/${number}`) === event.commandId.toLowerCase()) return entry;
    return { ...entry, event: { ...event, commandId: null, style: "unknown" } };
  });
}

async function insertRecords(
  client: pg.ClientBase,
  events: readonly NumberedEvent[],
  now: Date,
): Promise<Map<number, StoredEvent[]>> {
  const column = (of: (entry: NumberedEvent) => Parameters<typeof columnText>[0][number]): string =>
    columnText(events.map(of));
  const { rows } = await client.query<{
    lockId: number;
    number: number;
    cardId: number | null;
    credentialId: number | null;
  }>({
    name: "ingest-insert-records",
    text: INSERT_RECORDS,
    values: [
      column(({ lock }) => lock.id),
      column(({ lock }) => lock.hotelId),
      column(({ lock }) => lock.roomId),
      column(({ number }) => number),
      column(({ event }) => event.at),
      column(({ event }) => event.style),
      column(({ event }) => event.success),
      column(({ event }) => event.reason),
      column(({ event, lock }) => sourceOf(event, lock)),
      column(({ event }) => event.uid),
      column(({ event }) => event.slot),
      column(({ event }) => event.counter),
      column(({ event }) => event.commandId),
      now.toISOString(),
      column(({ event, lock }) => lateAt(event, lock, now)),
      column(({ lock }) => lock.doorId),
      column(({ event }) => event.cardKind),
    ],
  });
  const byLock = new Map<number, StoredEvent[]>();
  // The new rows are in the order of the events. A number that was stored before, or earlier in the batch, has no row.
  let next = 0;
  for (const { event, base, number } of events) {
    const row = rows[next];
    if (row?.lockId !== event.lockId || row.number !== number) continue;
    next += 1;
    const lockEvents = byLock.get(event.lockId) ?? [];
    // The event itself is completed, because V8 is slow to copy an object with so many fields and to add more to it.
    lockEvents.push(Object.assign(event, { base, number, cardId: row.cardId, credentialId: row.credentialId }));
    byLock.set(event.lockId, lockEvents);
  }
  if (next < rows.length) throw new Error("records were inserted in another order than their events");
  return byLock;
}

/**
 * Returns when a late event happened by our clock. Returns null if it isn't late, if the lock's clock is unknown, or if
 * it shows an impossible time (docs/integrators/locks.md, Why a key doesn't work).
 */
function lateAt({ lockTime }: ReportedEvent, { driftSeconds }: LockRowForEvents, now: Date): Date | null {
  if (driftSeconds === null) return null;
  const happened = lockTime.getTime() - driftSeconds * 1000;
  // PostgreSQL can't store times thousands of years ago, and they mean nothing.
  return happened >= CLOCKS_BEGIN && happened < now.getTime() - LATE_MS ? new Date(happened) : null;
}

interface UsedCardRow {
  /** null in rows that only sent a notification */
  cardId: number | null;
  alert: AlertingCard["alert"] | null;
  name: string | null;
  notified: string | null;
}

/** Cards of a batch that opened doors and have rarer consequences. */
interface UsedCards {
  /** those whose writing was never confirmed */
  unconfirmed: ReadonlySet<number>;
  /** cards whose openings raise an alert */
  alerting: ReadonlyMap<number, AlertingCard>;
}

/** Writes what every batch changes, such as last use of cards and credentials, and notifies open consoles. */
async function recordLastUse(
  client: pg.ClientBase,
  changes: readonly LockChange[],
  stored: readonly StoredEvent[],
  now: Date,
): Promise<UsedCards> {
  const cards = lastUse(stored, ({ cardId }) => cardId);
  const credentials = lastUse(stored, ({ credentialId }) => credentialId);
  const { rows } = await client.query<UsedCardRow>({
    name: "ingest-last-use",
    text: UPDATE_LAST_USE,
    values: [
      now.toISOString(),
      columnText(changes.map(({ lock }) => lock.id)),
      columnText(changes.map(({ eventSeq }) => eventSeq)),
      columnText(changes.map(({ power }) => power)),
      columnText(changes.map(({ guestFloor }) => guestFloor)),
      columnText(changes.map(({ otpFloor }) => otpFloor)),
      columnText(cards.map(([id]) => id)),
      columnText(cards.map(([, at]) => at)),
      columnText(credentials.map(([id]) => id)),
      columnText(credentials.map(([, at]) => at)),
      unlockNotices(changes.filter(({ storedCount }) => storedCount > 0)),
    ],
  });
  const used = rows.flatMap(({ cardId, ...card }) => (cardId === null ? [] : [{ cardId, ...card }]));
  return {
    unconfirmed: new Set(used.map(({ cardId }) => cardId)),
    alerting: new Map(
      used.flatMap(({ cardId, alert, name }) => (alert ? [[cardId, { alert, name: name ?? "" }]] : [])),
    ),
  };
}

/** Returns when each card or credential last opened a door, ordered by id so that two batches can't deadlock. */
function lastUse(stored: readonly StoredEvent[], idOf: (event: StoredEvent) => number | null): [number, Date][] {
  const last = new Map<number, Date>();
  for (const event of stored) {
    const id = idOf(event);
    if (id === null || !event.success) continue;
    const before = last.get(id);
    if (!before || before < event.at) last.set(id, event.at);
  }
  return [...last].sort(([a], [b]) => a - b);
}

function unlockNotices(changes: readonly LockChange[]): string[] {
  const hotelIds = new Set(changes.map(({ lock }) => lock.hotelId));
  return [...hotelIds].flatMap((hotelId) => {
    const hotelLocks = changes.flatMap(({ lock }) => (lock.hotelId === hotelId ? [lock] : []));
    const notices: string[] = [];
    for (let start = 0; start < hotelLocks.length; start += MAX_ANNOUNCED) {
      const locks = hotelLocks.slice(start, start + MAX_ANNOUNCED);
      const roomIds = locks.flatMap(({ roomId }) => (roomId === null ? [] : [roomId]));
      notices.push(JSON.stringify({ topic: "unlocks", hotelId, roomIds, lockIds: locks.map(({ id }) => id) }));
    }
    return notices;
  });
}

function sourceOf(event: ReportedEvent, lock: LockRowForEvents): string {
  if (event.commandId !== null) return "console";
  return lock.driver === "mqtt" ? "lock" : "gateway";
}
