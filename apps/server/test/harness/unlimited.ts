import type { RateLimits } from "../../src/adapters/redis/rate-limits.ts";

/** Rate limits that never refuse, for tests of the code behind them. */
export const unlimited: RateLimits = (_name, { points }) => ({
  points,
  take: async () => null,
  count: async () => undefined,
  read: async () => ({ count: 0, resetInMs: 0 }),
  reset: async () => undefined,
  reduce: async () => undefined,
});
