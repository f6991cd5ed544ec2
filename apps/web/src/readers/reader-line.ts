import type { Step } from "./reader-error.ts";

/** One request to a reader, in no protocol yet. */
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
  /** when waiting ends, in milliseconds from now */
  limit: number;
}

/**
 * How one kind of reader is spoken to. `exchange` gives the data of the answer as hex (a number of the card type for
 * `request`) and throws ReaderError; it is never called while another exchange is under way.
 */
export interface ReaderLine {
  exchange(command: Command, call: Call): Promise<string>;
  supports(step: Step): boolean;
  /** Forgets the connection; the next exchange is an `open`. */
  drop(): void;
}
