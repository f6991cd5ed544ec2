import { DomainError } from "@innkey/shared/errors";

/** The refusal of whoever has to wait for `milliseconds`. */
export function tooManyAttempts(milliseconds: number): DomainError {
  return new DomainError("too_many_attempts", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
}
