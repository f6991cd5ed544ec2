import type { UnlockStyle } from "@innkey/shared/enums";
import type { LockEvent } from "@innkey/shared/locks/protocol";

/** An event as it is kept; everything in it is something PostgreSQL takes. */
export interface HeardEvent {
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
export function heardEvent(lockId: number, log: string | null, event: LockEvent, now: Date): HeardEvent {
  const { seq, success, credential: shown } = event;
  const at = Date.parse(event.at);
  const plausible = at >= CLOCKS_BEGIN && at <= now.getTime();
  return {
    lockId,
    log,
    seq,
    at: plausible ? new Date(at) : now,
    lockTime: new Date(at),
    style: shown?.kind === "command" ? "remote" : event.style,
    success,
    reason: success ? "" : (event.reason ?? ""),
    uid: shown?.kind === "card" ? shown.uid.toUpperCase().replace(/[^0-9A-F]/g, "") : null,
    slot: shown?.kind === "slot" ? shown.slot : null,
    counter: shown?.kind === "otp" ? shown.counter : null,
    commandId: shown?.kind === "command" ? shown.id : null,
    shownSequence: success ? sequenceOf(shown) : null,
    alarm: event.alarm ?? null,
    power: event.power ?? null,
  };
}

function sequenceOf(shown: LockEvent["credential"]): HeardEvent["shownSequence"] {
  if (shown?.kind !== "card" || shown.sequence === undefined || shown.card !== "guest") return null;
  return shown.sequence < 0 || shown.sequence > MAX_SEQUENCE ? null : shown.sequence;
}
