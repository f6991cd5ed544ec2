import { ReaderError, type Step } from "@/readers/reader-error.ts";

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

/** Returns a signal that aborts with the caller's own signal or after the time limit. */
export function withLimit({ signal, limit }: Call): AbortSignal {
  const timeout = AbortSignal.timeout(limit);
  // Node 20 garbage-collects a timeout that only `any` refers to, so it would never fire. A listener prevents that.
  timeout.addEventListener("abort", () => undefined, { once: true });
  return AbortSignal.any([signal, timeout]);
}

/** Converts the error of a wait: cancelled by the operator, timed out, or no service. */
export function failureOfWait(error: unknown, step: Step, { signal }: Call): ReaderError {
  if (error instanceof ReaderError) return error;
  if (signal.aborted) return new ReaderError("cancelled", step);
  if (error instanceof DOMException && error.name === "TimeoutError") return new ReaderError("timedOut", step);
  return new ReaderError("noService", step);
}
