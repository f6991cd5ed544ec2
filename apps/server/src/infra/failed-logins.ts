const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 100;
const LAST_DELAY_MS = 5_000;
const FORGOTTEN_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * How long a wrong password waits for its answer, by address: longer with each failure in a minute. A right one never
 * waits, so that a guesser behind the hotel's own router locks nobody out.
 */
export class FailedLogins {
  readonly #failures = new Map<string, { count: number; lastAt: number }>();

  /** One more failure of `address`. Returns the delay of its answer in milliseconds. */
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
