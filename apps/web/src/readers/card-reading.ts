import type { CardInField } from "./card-reader.ts";
import { ReaderError } from "./reader-error.ts";

/** Time after a read in which the next one is ignored, milliseconds (source: specification, sections 4 and 9). */
const LOCKOUT = 2000;
/** Time in which the same card again counts as the same visit, milliseconds. */
const SAME_CARD = 10_000;

type ReadWarning = "impatient" | "sameCard";

interface ReadGate {
  /** Starts a read unless one must not start now; returns whether it started. */
  enter(now: number): boolean;
  /** Ends the read, with its number or null; returns whether the same card had just been read. */
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

export interface CardOnReader {
  uid: string;
  /** Unknown if only a number was typed. */
  kind?: CardInField["kind"];
  /** Milliseconds since the epoch. */
  at: number;
}

export interface ReadingState {
  busy: boolean;
  /** The last card read; failures don't change it. */
  card?: CardOnReader;
  failure?: ReaderError;
  warning?: ReadWarning;
}

interface CardReading {
  state(): ReadingState;
  subscribe(listener: () => void): () => void;
  /** Reports every card once when it was read, so that its guest can be looked up. */
  onCard(listener: (card: CardOnReader) => void): () => void;
  /** Reads one card's number; repeated calls only cause a warning. */
  read(how: (signal: AbortSignal) => Promise<Omit<CardOnReader, "at">>): Promise<void>;
  /** Takes a number from a reader that types. */
  take(uid: string): void;
  cancel(): void;
  /** Resets the state for another reader. */
  clear(): void;
}

/** The state of reading: one read at a time, its card, failure or warning. */
export function cardReading(now: () => number = Date.now): CardReading {
  let state: ReadingState = { busy: false };
  let running: AbortController | undefined;
  const gate = readGate();
  const listeners = new Set<() => void>();
  const cardListeners = new Set<(card: CardOnReader) => void>();

  function set(next: ReadingState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function arrived(card: CardOnReader): void {
    const again = gate.leave(card.at, card.uid);
    set({ busy: false, card, ...(again && { warning: "sameCard" as const }) });
    if (!again) for (const listener of cardListeners) listener(card);
  }

  async function read(how: (signal: AbortSignal) => Promise<Omit<CardOnReader, "at">>): Promise<void> {
    if (!gate.enter(now())) return set({ ...state, warning: "impatient" });
    const own = new AbortController();
    running = own;
    set({ busy: true, card: state.card });
    try {
      const card = await how(own.signal);
      arrived({ ...card, at: now() });
    } catch (error) {
      gate.leave(now());
      if (!(error instanceof ReaderError)) {
        set({ busy: false, card: state.card });
        throw error;
      }
      set({ busy: false, card: state.card, ...(error.kind !== "cancelled" && { failure: error }) });
    }
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onCard(listener) {
      cardListeners.add(listener);
      return () => cardListeners.delete(listener);
    },
    read,
    take(uid) {
      if (gate.enter(now())) arrived({ uid, at: now() });
      else set({ ...state, warning: state.card?.uid === uid ? "sameCard" : "impatient" });
    },
    cancel: () => running?.abort(),
    clear() {
      running?.abort();
      set({ busy: false });
    },
  };
}
