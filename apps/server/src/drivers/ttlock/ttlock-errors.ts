import type { LockErrorCode } from "@innkey/shared/enums";
import type { Handed } from "../../domain/access/lock-commands/driver.ts";

/** An error code returned by the cloud. Source: euopen.ttlock.com, errorCode. */
export class TtlockError extends Error {
  override readonly name = "TtlockError";
  readonly code: number;
  constructor(code: number) {
    super(`TTLock error ${code}`);
    this.code = code;
  }
}

/** The account's access token is invalid or expired. */
export const TOKEN_ERRORS: ReadonlySet<number> = new Set([10003, 10004]);
export const DUPLICATE_CODE = -3007;
export const NO_SUCH_CODE = -2009;

const WORDS: Readonly<Record<number, LockErrorCode>> = {
  10001: "account",
  10003: "account",
  10004: "account",
  10007: "account",
  10011: "account",
  20002: "refused",
  30006: "busy",
  30007: "busy",
  80000: "internal",
  [-1003]: "not_set_up",
  [-2012]: "gateway",
  [-2018]: "refused",
  [-2025]: "frozen",
  [-2032]: "too_simple",
  [NO_SUCH_CODE]: "not_found",
  [-3002]: "gateway",
  [-3003]: "busy",
  [-3006]: "invalid",
  [DUPLICATE_CODE]: "duplicate",
  [-3008]: "refused",
  [-3009]: "full",
  [-3036]: "offline",
  [-3037]: "busy",
  [-4056]: "full",
};
/**
 * Errors that may disappear by themselves or once someone fixes the cause, so a retry makes sense. All others are
 * permanent.
 */
const AGAIN: ReadonlySet<LockErrorCode> = new Set(["account", "busy", "gateway", "offline", "internal"]);

/** Returns our error code for an error of a cloud call. An unreachable cloud counts as "gateway". */
export function lockErrorOf(error: unknown): LockErrorCode {
  return error instanceof TtlockError ? (WORDS[error.code] ?? "internal") : "gateway";
}

export function handedOf(error: LockErrorCode): Handed {
  if (AGAIN.has(error)) return { outcome: "undelivered", error, again: true };
  return { outcome: "answered", ack: { ok: false, error } };
}
