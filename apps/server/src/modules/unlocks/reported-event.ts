import type { UnlockStyle } from "@innkey/shared/enums";
import type { LockEvent } from "@innkey/shared/locks/protocol";

/** An event as it is kept; everything in it is something PostgreSQL takes. */
export interface ReportedEvent {
  lockId: number;
  /** the memory it is from, as the lock named it; null: the one it has now */
  log: string | null;
  /** its number there */
  seq: number;
  at: Date;
  /** what the lock's own clock showed, whatever that was */
  lockTime: Date;
  style: UnlockStyle;
  success: boolean;
  reason: string;
  uid: string | null;
  slot: number | null;
  counter: number | null;
  commandId: string | null;
  /** the sequence of the room record that opened the door */
  shownSequence: number | null;
  alarm: LockEvent["alarm"] | null;
  power: number | null;
}

/** Before this a lock's clock says only that it was never set. */
const CLOCKS_BEGIN = Date.parse("2020-01-01T00:00:00.000Z");
/** As wide as the field in a card record (source: domain rules, Cards). */
const MAX_SEQUENCE = 0xffff;

/**
 * What a lock said, made fit to keep. An instant in the future, or from before the clock was set, is the one at which it
 * was heard: nothing is recorded as having happened later than now.
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
