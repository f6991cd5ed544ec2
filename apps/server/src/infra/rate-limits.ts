import type { Redis } from "ioredis";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

/** How much is allowed, and in how many seconds. */
export interface Allowance {
  points: number;
  duration: number;
}

/** Counters of one kind of act by whoever does it, shared by all processes. */
export interface RateLimiter {
  readonly points: number;
  /** One more. Returns null, or when it is too many the milliseconds until there is room again. */
  take(key: string): Promise<number | null>;
  /** One more, whether it is too many or not. */
  count(key: string): Promise<void>;
  /** How many so far, and the milliseconds until they are forgotten. */
  read(key: string): Promise<{ taken: number; forgottenInMs: number }>;
  forget(key: string): Promise<void>;
  /** So many fewer. */
  forgive(key: string, points: number): Promise<void>;
}

/** Makes the counters of a kind, which has a name of its own. */
export type RateLimits = (name: string, allowed: Allowance) => RateLimiter;

const REDIS_PREFIX = "innkey:limit";

/**
 * Counters in Redis where there is one, in PostgreSQL otherwise, and also while Redis is away: counting begins anew there
 * then, so limits hold, though not across the change.
 */
export function rateLimits(pool: pg.Pool, redis?: Redis): RateLimits {
  let first = true;
  return (name, allowed) => {
    // One of them deletes what ran out of all kinds.
    const cleans = first;
    first = false;
    const stored = new RateLimiterPostgres({
      storeClient: pool,
      storeType: "pool",
      tableName: "rate_limit",
      tableCreated: true,
      keyPrefix: name,
      clearExpiredByTimeout: cleans,
      ...allowed,
    });
    if (!redis) return limiter(stored);
    return limiter(
      new RateLimiterRedis({
        storeClient: redis,
        rejectIfRedisNotReady: true,
        keyPrefix: `${REDIS_PREFIX}:${name}`,
        insuranceLimiter: stored,
        ...allowed,
      }),
    );
  };
}

function limiter(counters: RateLimiterPostgres | RateLimiterRedis): RateLimiter {
  return {
    points: counters.points,
    async take(key) {
      try {
        await counters.consume(key);
        return null;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return refused.msBeforeNext;
        throw refused;
      }
    },
    async count(key) {
      await counters.penalty(key);
    },
    async read(key) {
      const counter = await counters.get(key);
      return { taken: counter?.consumedPoints ?? 0, forgottenInMs: counter?.msBeforeNext ?? 0 };
    },
    async forgive(key, points) {
      await counters.reward(key, points);
    },
    async forget(key) {
      await counters.delete(key);
    },
  };
}
