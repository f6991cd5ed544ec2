import type { CardInField } from "./card-reader.ts";
import { ReaderError } from "./reader-error.ts";

/** Time after a read in which the next one is ignored (source: specification, sections 4 and 9). */
const LOCKOUT_MS = 2000;
/** Time in which the same card again counts as the same visit. */
const SAME_VISIT_MS = 10_000;

type ReadWarning = "impatient" | "sameCard";

interface ReadGate {
  /** Starts a read unless one is running or has just ended; returns whether it started. */
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
      readyAt = now + LOCKOUT_MS;
      const isRepeated = last?.uid === uid && now - last.at < SAME_VISIT_MS;
      last = { uid, at: now };
      return isRepeated;
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
  /** Calls the listener for each card read, once per visit, so that its guest can be looked up. */
  onCard(listener: (card: CardOnReader) => void): () => void;
  /** Reads one card's number; repeated calls only cause a warning. */
  read(how: (signal: AbortSignal) => Promise<Omit<CardOnReader, "at">>): Promise<void>;
  /** Accepts a number from a reader that acts as a keyboard. */
  take(uid: string): void;
  cancel(): void;
  /** Resets the state for another reader. */
  clear(): void;
}

/** Reads one card at a time and holds the result: the card, a failure or a warning. */
export function cardReading(now: () => number = Date.now): CardReading {
  let state: ReadingState = { busy: false };
  let running: AbortController | undefined;
  const gate = readGate();
  const listeners = new Set<() => void>();
  const cardListeners = new Set<(card: CardOnReader) => void>();

  function setState(next: ReadingState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function acceptCard(card: CardOnReader): void {
    const isRepeated = gate.leave(card.at, card.uid);
    setState({ busy: false, card, ...(isRepeated && { warning: "sameCard" as const }) });
    if (!isRepeated) for (const listener of cardListeners) listener(card);
  }

  async function read(how: (signal: AbortSignal) => Promise<Omit<CardOnReader, "at">>): Promise<void> {
    if (!gate.enter(now())) return setState({ ...state, warning: "impatient" });
    const own = new AbortController();
    running = own;
    setState({ busy: true, card: state.card });
    try {
      const card = await how(own.signal);
      acceptCard({ ...card, at: now() });
    } catch (error) {
      gate.leave(now());
      if (!(error instanceof ReaderError)) {
        setState({ busy: false, card: state.card });
        throw error;
      }
      setState({ busy: false, card: state.card, ...(error.kind !== "cancelled" && { failure: error }) });
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
      if (gate.enter(now())) acceptCard({ uid, at: now() });
      else setState({ ...state, warning: state.card?.uid === uid ? "sameCard" : "impatient" });
    },
    cancel: () => running?.abort(),
    clear() {
      running?.abort();
      setState({ busy: false });
    },
  };
}
