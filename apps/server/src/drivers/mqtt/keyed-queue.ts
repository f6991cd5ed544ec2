import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "@innkey/shared/errors";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import { asDomainError, isTransient } from "../../kernel/errors.ts";

const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 30_000;
/**
 * After this time we drop work that fails for another reason than an unavailable database. The lock gets no
 * acknowledgement and sends its message again.
 */
const GIVE_UP_MS = 5_000;
/** Limit per key. Work above it is dropped; the sender gets no acknowledgement and sends its message again. */
const MAX_WAITING = 100;

/**
 * Runs the work of each key in order of arrival; different keys don't wait for each other. Failed work is retried with
 * growing pauses, so nothing is overtaken. Work that fails permanently is dropped after `giveUpMs`, because otherwise
 * a few locks that send nonsense would block all others.
 */
export class KeyedQueue {
  readonly #log: Logger;
  readonly #tails = new Map<string, { done: Promise<void>; waiting: number }>();
  readonly #giveUpMs: number;
  readonly #closed = new AbortController();
  #dropped = 0;

  constructor(log: Logger, giveUpMs = GIVE_UP_MS) {
    this.#log = log;
    this.#giveUpMs = giveUpMs;
    // Every waiting key adds a listener to this signal, so we lift Node's limit.
    setMaxListeners(0, this.#closed.signal);
  }

  /** Number of work items dropped because too many waited for one key or because they failed permanently. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Resolves once the work is done or dropped. @throws never */
  take(key: string, work: () => Promise<void>): Promise<void> {
    const tail = this.#tails.get(key) ?? { done: Promise.resolve(), waiting: 0 };
    if (tail.waiting >= MAX_WAITING) {
      this.#dropped += 1;
      return Promise.resolve();
    }
    tail.waiting += 1;
    const done = tail.done.then(async () => {
      await this.#runWithRetries(key, work);
      tail.waiting -= 1;
      if (tail.waiting === 0) this.#tails.delete(key);
    });
    tail.done = done;
    this.#tails.set(key, tail);
    return done;
  }

  /** Drops all waiting work. */
  close(): void {
    this.#closed.abort();
  }

  async #runWithRetries(key: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    for (let pause = MIN_PAUSE_MS; !this.#closed.signal.aborted; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isTemporary(error) && performance.now() - startedAt >= this.#giveUpMs) {
          this.#dropped += 1;
          this.#log.error({ err: error, lock: key }, "lock message could not be stored, dropped");
          return;
        }
        this.#log.warn({ err: error, lock: key, retryMs: pause }, "lock message could not be stored, retrying");
        await delay(pause, undefined, { signal: this.#closed.signal }).catch(() => undefined);
      }
    }
  }
}

/** Checks whether the error is temporary: the database is unavailable, or another transaction won. */
function isTemporary(error: unknown): boolean {
  const reason = asDomainError(error);
  return isTransient(error) || (reason instanceof DomainError && reason.code === "unavailable");
}
