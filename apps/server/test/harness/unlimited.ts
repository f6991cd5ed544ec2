import type { RateLimits } from "../../src/infra/rate-limits.ts";

/** Counters that never refuse, for tests of what is behind them. */
export const unlimited: RateLimits = (_name, { points }) => ({
  points,
  take: async () => null,
  count: async () => undefined,
  read: async () => ({ taken: 0, forgottenInMs: 0 }),
  forget: async () => undefined,
  forgive: async () => undefined,
});
