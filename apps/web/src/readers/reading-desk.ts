import type { CardInField } from "./card-reader.ts";
import { type ReadWarning, readGate } from "./read-gate.ts";
import { ReaderError } from "./reader-error.ts";

export interface CardOnDesk {
  uid: string;
  /** unknown where only a number was typed */
  kind?: CardInField["kind"];
  /** milliseconds since the epoch */
  at: number;
}

export interface DeskState {
  busy: boolean;
  /** the last card read; a failure leaves it */
  card?: CardOnDesk;
  failure?: ReaderError;
  warning?: ReadWarning;
}

export interface ReadingDesk {
  state(): DeskState;
  subscribe(listener: () => void): () => void;
  /** Every card once, when it has just been read: where the look-up of its guest takes hold. */
  onCard(listener: (card: CardOnDesk) => void): () => void;
  /** Reads one card's number; an impatient call only warns. */
  read(how: (signal: AbortSignal) => Promise<Omit<CardOnDesk, "at">>): Promise<void>;
  /** A number that came by itself, from a reader that types. */
  take(uid: string): void;
  cancel(): void;
  /** Another reader: what the last one did is not its doing. */
  clear(): void;
}

/** What lies on the desk: one read at a time, its card, its failure or its warning. */
export function readingDesk(now: () => number = Date.now): ReadingDesk {
  let state: DeskState = { busy: false };
  let running: AbortController | undefined;
  const gate = readGate();
  const listeners = new Set<() => void>();
  const cardListeners = new Set<(card: CardOnDesk) => void>();

  function set(next: DeskState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function arrived(card: CardOnDesk): void {
    const again = gate.leave(card.at, card.uid);
    set({ busy: false, card, ...(again && { warning: "sameCard" as const }) });
    if (!again) for (const listener of cardListeners) listener(card);
  }

  async function read(how: (signal: AbortSignal) => Promise<Omit<CardOnDesk, "at">>): Promise<void> {
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
