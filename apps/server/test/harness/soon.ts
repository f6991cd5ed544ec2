/** For `vi.waitFor`: what is waited for comes soon on a quiet machine, and comes on a busy one. */
export const SOON = { timeout: 15_000, interval: 10 };
