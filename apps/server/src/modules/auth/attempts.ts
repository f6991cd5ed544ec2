import { DomainError } from "@innkey/shared/errors";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { SecretBox } from "../../core/secret-box.ts";
import type { Database } from "../../infra/database/client.ts";
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
} as const;

/** Counters of failed and frequent attempts, shared by all servers through the database. Accounts are kept hashed. */
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
}

export const RECOVERY_RESEND_SECONDS = LIMITS.recoveryPause.duration;

function tooMany(milliseconds: number): DomainError {
  return new DomainError("too_many_attempts", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
}

export function createAttempts({ pool }: Database, box: SecretBox): Attempts {
  const limiter = (name: keyof typeof LIMITS): RateLimiterPostgres =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: "pool",
      tableName: "rate_limit",
      tableCreated: true,
      keyPrefix: name,
      clearExpiredByTimeout: name === "addressFailures",
      ...LIMITS[name],
    });
  const byAccount = limiter("accountFailures");
  const byAddress = limiter("addressFailures");
  const captchas = limiter("captchas");
  const recoveryPause = limiter("recoveryPause");
  const accountRecoveries = limiter("accountRecoveries");
  const addressRecoveries = limiter("addressRecoveries");
  const resets = limiter("resets");
  const keyOf = (account: string): string => box.fingerprint(`account:${account}`).toString("hex");

  async function take(from: RateLimiterPostgres, key: string): Promise<void> {
    try {
      await from.consume(key);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw tooMany(refused.msBeforeNext);
      throw refused;
    }
  }

  return {
    async failures(account, address) {
      const counted = await Promise.all([
        byAccount.get(keyOf(account)).then((kept) => ({ kept, limit: byAccount.points })),
        byAddress.get(networkOf(address)).then((kept) => ({ kept, limit: byAddress.points })),
      ]);
      for (const { kept, limit } of counted) if (kept && kept.consumedPoints >= limit) throw tooMany(kept.msBeforeNext);
      return Math.max(...counted.map(({ kept }) => kept?.consumedPoints ?? 0));
    },
    async failed(account, address) {
      await Promise.all([byAccount.penalty(keyOf(account)), byAddress.penalty(networkOf(address))]);
    },
    async succeeded(account) {
      await byAccount.delete(keyOf(account));
    },
    takeCaptcha: (address) => take(captchas, networkOf(address)),
    async takeRecovery(account, address) {
      await take(addressRecoveries, networkOf(address));
      await take(recoveryPause, keyOf(account));
      await take(accountRecoveries, keyOf(account));
    },
    takeReset: (address) => take(resets, networkOf(address)),
  };
}
