import type { LockDriver, UnlockStyle } from "@innkey/shared/enums";
import type { LockEvent } from "@innkey/shared/locks/protocol";
import type pg from "pg";

/** An event in the form in which it is stored. All of its values are valid for PostgreSQL. */
export interface ReportedEvent {
  lockId: number;
  /** the lock's log that the event comes from; null: its current log */
  log: string | null;
  /** the event's number in that log */
  seq: number;
  at: Date;
  /** the lock's own clock, even if it is wrong */
  lockTime: Date;
  style: UnlockStyle;
  success: boolean;
  reason: string;
  uid: string | null;
  slot: number | null;
  counter: number | null;
  commandId: string | null;
  /** the sequence of the card record that opened the door */
  cardSequence: number | null;
  alarm: LockEvent["alarm"] | null;
  power: number | null;
  /** see ReceivedEvent */
  foreignKey: string | null;
}

/** An event as a driver passes it on. */
export interface ReceivedEvent extends LockEvent {
  /** the lock's own name for the key, if the lock names it and this console did not create it */
  foreignKey?: string;
}

/** A lock as it was before the batch. Its row stays locked until the transaction ends. */
export interface LockRowForEvents {
  id: number;
  hotelId: number;
  roomId: number | null;
  driver: LockDriver;
  power: number | null;
  /** the highest stored event number */
  eventSeq: number;
  /** the log that the lock named last ("" for none), and the base added to its numbers */
  eventLog: string;
  eventBase: number;
  /** seconds by which its clock was ahead when last checked */
  driftSeconds: number | null;
  guestFloor: number;
  otpFloor: number;
  /** the next one-time counter to issue */
  otpNext: number;
  /** the highest sequence of any card made for this lock: ever, and since its door's sequence was last reset */
  everIssued: number;
  issued: number;
  /** whether its breaker was open */
  isBreakerOpen: boolean;
  /** whether a webhook of the hotel subscribes to unlock events */
  hasSubscriber: boolean;
}

/** A newly stored event with what it refers to. */
export interface StoredEvent extends ReportedEvent {
  /** the number under which it is stored, and the base included in it */
  number: number;
  base: number;
  cardId: number | null;
  credentialId: number | null;
}

/** A lock's clock before this instant was never set. */
export const CLOCKS_BEGIN = Date.parse("2020-01-01T00:00:00.000Z");
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
    slot: presented?.kind === "slot" ? presented.slot : null,
    counter: presented?.kind === "otp" ? presented.counter : null,
    commandId: presented?.kind === "command" ? presented.id : null,
    cardSequence: success ? sequenceOf(presented) : null,
    alarm: event.alarm ?? null,
    power: event.power ?? null,
    foreignKey: event.foreignKey ?? null,
  };
}

function sequenceOf(presented: LockEvent["credential"]): ReportedEvent["cardSequence"] {
  if (presented?.kind !== "card" || presented.sequence === undefined || presented.card !== "guest") return null;
  return presented.sequence < 0 || presented.sequence > MAX_SEQUENCE ? null : presented.sequence;
}

/**
 * An event with the number under which it is stored: the lock's own number plus the base of the log that it comes from.
 */
export interface NumberedEvent {
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
export async function numberEvents(
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
