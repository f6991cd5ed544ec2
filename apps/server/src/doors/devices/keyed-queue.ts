import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "@innkey/shared/errors";
import { asDomainError, isTransient } from "../../core/database-errors.ts";
import type { Logger } from "../../infra/logger.ts";

const FIRST_PAUSE_MS = 200;
const LAST_PAUSE_MS = 30_000;
/** What fails this long though the database is there can't be kept; its lock, unanswered, says it again. */
const GIVE_UP_MS = 5_000;
/** of one key; what comes beyond is dropped, and its sender, unanswered, says it again */
const MAX_WAITING = 100;

/**
 * Work of one key is done one after the other, in the order it came; other keys don't wait for it. What fails is tried
 * again until it is done, with growing pauses: nothing overtakes, and nothing is skipped but what can never be kept. That
 * must not stand in the way for ever, or a few locks that speak nonsense would silence all.
 */
export class Turns {
  readonly #log: Logger;
  readonly #tails = new Map<string, { done: Promise<void>; waiting: number }>();
  readonly #giveUpMs: number;
  readonly #end = new AbortController();
  #dropped = 0;

  constructor(log: Logger, giveUpMs = GIVE_UP_MS) {
    this.#log = log;
    this.#giveUpMs = giveUpMs;
    // Every key that waits for the database listens for the end.
    setMaxListeners(0, this.#end.signal);
  }

  /** How many were dropped because too many of one key waited, or because they can't be kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Resolves once the work is done, or given up at the end of the process. @throws never */
  take(key: string, work: () => Promise<void>): Promise<void> {
    const tail = this.#tails.get(key) ?? { done: Promise.resolve(), waiting: 0 };
    if (tail.waiting >= MAX_WAITING) {
      this.#dropped += 1;
      return Promise.resolve();
    }
    tail.waiting += 1;
    const done = tail.done.then(async () => {
      await this.#untilDone(key, work);
      tail.waiting -= 1;
      if (tail.waiting === 0) this.#tails.delete(key);
    });
    tail.done = done;
    this.#tails.set(key, tail);
    return done;
  }

  /** What still waits is given up. */
  close(): void {
    this.#end.abort();
  }

  async #untilDone(key: string, work: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    for (let pause = FIRST_PAUSE_MS; !this.#end.signal.aborted; pause = Math.min(LAST_PAUSE_MS, pause * 2)) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isPassing(error) && performance.now() - begun >= this.#giveUpMs) {
          this.#dropped += 1;
          this.#log.error({ err: error, lock: key }, "what a lock said can't be kept and is dropped");
          return;
        }
        this.#log.warn({ err: error, lock: key, retryMs: pause }, "what a lock said could not be kept; trying again");
        await delay(pause, undefined, { signal: this.#end.signal }).catch(() => undefined);
      }
    }
  }
}

/** The database is away, or others were faster: it passes. */
function isPassing(error: unknown): boolean {
  const reason = asDomainError(error);
  return isTransient(error) || (reason instanceof DomainError && reason.code === "unavailable");
}
