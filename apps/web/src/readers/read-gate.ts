/** Milliseconds from the end of a read in which the next one is ignored (source: specification, sections 4 and 9). */
export const LOCKOUT = 2000;
/** Milliseconds in which the same card again is a slip of the hand and not a new visit. */
export const SAME_CARD = 10_000;

export type ReadWarning = "impatient" | "sameCard";

export interface ReadGate {
  /** Whether a read may start now; if so, it has started. */
  enter(now: number): boolean;
  /** The read is over, with this number or with none; tells whether the card had just been read. */
  leave(now: number, uid?: string): boolean;
}

/** Keeps impatient clicks and cards that stay on the reader from being read twice. */
export function readGate(): ReadGate {
  let reading = false;
  let readyAt = 0;
  let last: { uid: string; at: number } | undefined;
  return {
    enter(now) {
      if (reading || now < readyAt) return false;
      reading = true;
      return true;
    },
    leave(now, uid) {
      reading = false;
      if (uid === undefined) return false;
      readyAt = now + LOCKOUT;
      const again = last?.uid === uid && now - last.at < SAME_CARD;
      last = { uid, at: now };
      return again;
    },
  };
}
