import { ReaderError, type Step } from "./reader-error.ts";
import type { Call } from "./reader-line.ts";

/** Ends with the first of: the caller's own signal, and the time limit. */
export function withLimit({ signal, limit }: Call): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(limit)]);
}

/** What an ended wait was: given up by the person, too slow, or nobody there. */
export function failureOfWait(error: unknown, step: Step, { signal }: Call): ReaderError {
  if (error instanceof ReaderError) return error;
  if (signal.aborted) return new ReaderError("cancelled", step);
  if (error instanceof DOMException && error.name === "TimeoutError") return new ReaderError("timedOut", step);
  return new ReaderError("noService", step);
}
