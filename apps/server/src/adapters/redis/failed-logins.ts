const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 100;
const LAST_DELAY_MS = 5_000;
const FORGOTTEN_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * Delays the answer to a wrong password, per address: longer with each failure within a minute. A correct password is
 * never delayed, so someone guessing from behind the hotel's own router does not lock out the staff.
 */
export class FailedLogins {
  readonly #failures = new Map<string, { count: number; lastAt: number }>();

  /** Counts a failure of `address` and returns the delay of its answer in milliseconds. */
  delayMs(address: string, now: number): number {
    const before = this.#failures.get(address);
    const count = before && now - before.lastAt < FORGOTTEN_MS ? before.count + 1 : 1;
    this.#failures.delete(address);
    this.#failures.set(address, { count, lastAt: now });
    if (this.#failures.size > MAX_ADDRESSES) {
      const [oldest] = this.#failures.keys();
      if (oldest !== undefined) this.#failures.delete(oldest);
    }
    return count <= FREE_FAILURES ? 0 : Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES - 1));
  }
}
