import type { Redis } from "ioredis";
import type pg from "pg";
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

/** Number of points allowed, and the period in seconds. */
export interface Allowance {
  points: number;
  duration: number;
}

/** Counters of one kind of action per key, shared by all processes. */
export interface RateLimiter {
  readonly points: number;
  /** Counts one more. Returns null if allowed, otherwise the milliseconds until the next is allowed. */
  take(key: string): Promise<number | null>;
  /** Counts one more without checking the limit. */
  count(key: string): Promise<void>;
  /** Returns the current count, and the milliseconds until it is reset. */
  read(key: string): Promise<{ count: number; resetInMs: number }>;
  reset(key: string): Promise<void>;
  /** Reduces the count by `points`. */
  reduce(key: string, points: number): Promise<void>;
}

/** Creates the counters of one kind, which has a unique name. */
export type RateLimits = (name: string, allowed: Allowance) => RateLimiter;

const REDIS_PREFIX = "innkey:limit";

/**
 * Counts in Redis if there is one, else in PostgreSQL, which is also used while Redis is unreachable. Counting then
 * starts at zero, so limits hold before and after the switch, but not across it.
 */
export function rateLimits(pool: pg.Pool, redis?: Redis): RateLimits {
  let isFirst = true;
  return (name, allowed) => {
    // One limiter deletes the expired counters of all kinds.
    const deletesExpired = isFirst;
    isFirst = false;
    const stored = new RateLimiterPostgres({
      storeClient: pool,
      storeType: "pool",
      tableName: "rate_limit",
      tableCreated: true,
      keyPrefix: name,
      clearExpiredByTimeout: deletesExpired,
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
      return { count: counter?.consumedPoints ?? 0, resetInMs: counter?.msBeforeNext ?? 0 };
    },
    async reduce(key, points) {
      await counters.reward(key, points);
    },
    async reset(key) {
      await counters.delete(key);
    },
  };
}
