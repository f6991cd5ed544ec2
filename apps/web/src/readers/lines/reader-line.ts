import type { Step } from "../reader-error.ts";

/** One request to a reader, independent of the protocol. */
export type Command =
  | { step: "open" | "close" | "serial" | "model" | "radio" | "request" | "anticollision" | "longUid" | "halt" }
  | { step: "buzzer" }
  | { step: "light"; color: 0 | 1 | 2 }
  | { step: "antenna"; on: boolean }
  | { step: "select"; uid: string }
  | { step: "authenticate"; keyType: "A" | "B"; block: number; key: string }
  | { step: "read"; block: number }
  | { step: "write"; block: number; data: string };

export interface Call {
  signal: AbortSignal;
  /** Time limit, in milliseconds from now. */
  limit: number;
}

/**
 * The protocol of one kind of reader. `exchange` returns the data of the answer as hex (a number of the card type for
 * `request`) and throws ReaderError. It is never called while another exchange is in progress.
 */
export interface ReaderLine {
  exchange(command: Command, call: Call): Promise<string>;
  supports(step: Step): boolean;
  /** Drops the connection; the next exchange is an `open`. */
  drop(): void;
}
