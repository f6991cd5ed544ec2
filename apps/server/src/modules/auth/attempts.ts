import type { SecretBox } from "../../core/secret-box.ts";
import { tooManyAttempts } from "../../core/too-many-attempts.ts";
import type { RateLimiter, RateLimits } from "../../infra/rate-limits.ts";
import { networkOf } from "./network-of.ts";

/** After so many failures of an account or an address the graphic code is asked for. */
export const FAILURES_WITHOUT_CAPTCHA = 3;

/** How much is allowed, and in how many seconds. A desk's address stands for several people, an account for one. */
const LIMITS = {
  accountFailures: { points: 10, duration: 15 * 60 },
  addressFailures: { points: 50, duration: 15 * 60 },
  captchas: { points: 120, duration: 5 * 60 },
  recoveryPause: { points: 1, duration: 60 },
  accountRecoveries: { points: 5, duration: 60 * 60 },
  addressRecoveries: { points: 30, duration: 60 * 60 },
  resets: { points: 20, duration: 15 * 60 },
  challenges: { points: 120, duration: 5 * 60 },
  // Three of a million codes count at any moment: who knows the password needs years.
  codes: { points: 20, duration: 24 * 60 * 60 },
} as const;

/** Counters of failed and frequent attempts, shared by all servers. Accounts are kept hashed. */
export interface Attempts {
  /** Failures so far, the larger of account and address. @throws too_many_attempts with retryAfterSeconds */
  failures(account: string, address: string): Promise<number>;
  failed(account: string, address: string): Promise<void>;
  /** The account's failures are forgiven; the address's run out by themselves. */
  succeeded(account: string): Promise<void>;
  /** @throws too_many_attempts */
  takeCaptcha(address: string): Promise<void>;
  /** One code a minute, five an hour for an account, known or not. @throws too_many_attempts */
  takeRecovery(account: string, address: string): Promise<void>;
  /** @throws too_many_attempts */
  takeReset(address: string): Promise<void>;
  /** A step of a login that needs no password. @throws too_many_attempts */
  takeChallenge(address: string): Promise<void>;
  /**
   * A code of an authenticator app, from wherever, counted before it is judged: tries at the same moment can't be more.
   * @throws too_many_attempts
   */
  takeCode(operatorId: number): Promise<void>;
  /** The codes before this one are forgiven. */
  codeSucceeded(operatorId: number): Promise<void>;
  /** A wrong second factor counts for the address as a wrong password does. */
  factorFailed(address: string): Promise<void>;
}

export const RECOVERY_RESEND_SECONDS = LIMITS.recoveryPause.duration;

export function createAttempts(rateLimits: RateLimits, box: SecretBox): Attempts {
  const limiter = (name: keyof typeof LIMITS): RateLimiter => rateLimits(name, LIMITS[name]);
  const byAccount = limiter("accountFailures");
  const byAddress = limiter("addressFailures");
  const captchas = limiter("captchas");
  const recoveryPause = limiter("recoveryPause");
  const accountRecoveries = limiter("accountRecoveries");
  const addressRecoveries = limiter("addressRecoveries");
  const resets = limiter("resets");
  const challenges = limiter("challenges");
  const codes = limiter("codes");
  const keyOf = (account: string): string => box.fingerprint(`account:${account}`).toString("hex");

  async function take(from: RateLimiter, key: string): Promise<void> {
    const waitMs = await from.take(key);
    if (waitMs !== null) throw tooManyAttempts(waitMs);
  }

  return {
    async failures(account, address) {
      const counted = await Promise.all([
        byAccount.read(keyOf(account)).then((failed) => ({ ...failed, most: byAccount.points })),
        byAddress.read(networkOf(address)).then((failed) => ({ ...failed, most: byAddress.points })),
      ]);
      for (const { taken, most, forgottenInMs } of counted) if (taken >= most) throw tooManyAttempts(forgottenInMs);
      return Math.max(...counted.map(({ taken }) => taken));
    },
    async failed(account, address) {
      await Promise.all([byAccount.count(keyOf(account)), byAddress.count(networkOf(address))]);
    },
    succeeded: (account) => byAccount.forget(keyOf(account)),
    takeCaptcha: (address) => take(captchas, networkOf(address)),
    async takeRecovery(account, address) {
      await take(addressRecoveries, networkOf(address));
      await take(recoveryPause, keyOf(account));
      await take(accountRecoveries, keyOf(account));
    },
    takeReset: (address) => take(resets, networkOf(address)),
    takeChallenge: (address) => take(challenges, networkOf(address)),
    takeCode: (operatorId) => take(codes, String(operatorId)),
    async factorFailed(address) {
      await byAddress.count(networkOf(address));
    },
    async codeSucceeded(operatorId) {
      await codes.forget(String(operatorId));
    },
  };
}
