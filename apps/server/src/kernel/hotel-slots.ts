import { DomainError } from "@innkey/shared/errors";

/** Beyond this, callers are asked to try again. */
const MAX_WAITING = 1_000;
/** As long as a caller waits for a connection at most (adapters/postgres/client.ts). */
const WAIT_MS = 20_000;

/** Lets a limited number of jobs run at a time; the others wait in order of arrival. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** @throws unavailable if too many jobs wait, or if this one waited too long */
  async run<T>(job: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await job();
    } finally {
      release();
    }
  }

  /** Waits for a slot and returns the function that frees it. @throws as `run` */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    return () => {
      const [next] = this.#waiting;
      if (next) next();
      else this.#free += 1;
    };
  }

  #turn(): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new DomainError("unavailable"));
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(new DomainError("unavailable"));
      }, WAIT_MS);
      this.#waiting.add(begin);
    });
  }
}

/**
 * Shares of the connection pool that one hotel may use at a time, so that a hotel with many requests, or whose writes
 * wait for each other, leaves connections to the others. They are separate, so that a write may read outside its
 * transaction, and reads may be made while a cursor is open.
 */
export class HotelSlots {
  readonly writes: Slots;
  readonly reads: Slots;
  /** For reads that occupy their connection for long */
  readonly cursors: Slots;

  constructor(poolSize: number) {
    const share = (part: number): Slots => new Slots(Math.max(1, Math.floor(poolSize * part)));
    this.writes = share(1 / 2);
    this.reads = share(1 / 2);
    this.cursors = share(1 / 4);
  }
}
