import { DomainError } from "@innkey/shared/errors";

/** Returns the error for a caller who must wait `milliseconds`. */
export function tooManyAttempts(milliseconds: number): DomainError {
  return new DomainError("too_many_attempts", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
}
