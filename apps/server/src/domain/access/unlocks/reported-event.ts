import type { LockDriver, UnlockStyle } from "@innkey/shared/enums";
import type { LockEvent } from "@innkey/shared/locks/protocol";

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
  shownSequence: number | null;
  alarm: LockEvent["alarm"] | null;
  power: number | null;
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
  stopped: boolean;
  /** whether a webhook of the hotel subscribes to unlock events */
  told: boolean;
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
const CLOCKS_BEGIN = Date.parse("2020-01-01T00:00:00.000Z");
/** Largest value of the field in a card record (source: domain rules, Cards). */
const MAX_SEQUENCE = 0xffff;

/**
 * Converts a lock's event to the stored form. If its time lies in the future or before any clock was set, the time of
 * receipt is used, so that no record is later than now.
 */
export function toReportedEvent(lockId: number, log: string | null, event: LockEvent, now: Date): ReportedEvent {
  const { seq, success, credential: presented } = event;
  const at = Date.parse(event.at);
  const plausible = at >= CLOCKS_BEGIN && at <= now.getTime();
  return {
    lockId,
    log,
    seq,
    at: plausible ? new Date(at) : now,
    lockTime: new Date(at),
    style: presented?.kind === "command" ? "remote" : event.style,
    success,
    reason: success ? "" : (event.reason ?? ""),
    uid: presented?.kind === "card" ? presented.uid.toUpperCase().replace(/[^0-9A-F]/g, "") : null,
    slot: presented?.kind === "slot" ? presented.slot : null,
    counter: presented?.kind === "otp" ? presented.counter : null,
    commandId: presented?.kind === "command" ? presented.id : null,
    shownSequence: success ? sequenceOf(presented) : null,
    alarm: event.alarm ?? null,
    power: event.power ?? null,
  };
}

function sequenceOf(presented: LockEvent["credential"]): ReportedEvent["shownSequence"] {
  if (presented?.kind !== "card" || presented.sequence === undefined || presented.card !== "guest") return null;
  return presented.sequence < 0 || presented.sequence > MAX_SEQUENCE ? null : presented.sequence;
}
