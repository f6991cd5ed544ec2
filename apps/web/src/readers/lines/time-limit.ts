import { ReaderError, type Step } from "../reader-error.ts";
import type { Call } from "./reader-line.ts";

/** Returns a signal that aborts with the caller's own signal or after the time limit. */
export function withLimit({ signal, limit }: Call): AbortSignal {
  const timeout = AbortSignal.timeout(limit);
  // Node 20 collects a timeout that only `any` refers to, and the limit would never come. A listener keeps it.
  timeout.addEventListener("abort", () => undefined, { once: true });
  return AbortSignal.any([signal, timeout]);
}

/** Returns why a wait ended: cancelled by the operator, too slow, or nobody there. */
export function failureOfWait(error: unknown, step: Step, { signal }: Call): ReaderError {
  if (error instanceof ReaderError) return error;
  if (signal.aborted) return new ReaderError("cancelled", step);
  if (error instanceof DOMException && error.name === "TimeoutError") return new ReaderError("timedOut", step);
  return new ReaderError("noService", step);
}
