/** Options of `vi.waitFor`: waits end quickly on an idle machine and still succeed on a busy one. */
export const SOON = { timeout: 15_000, interval: 10 };
