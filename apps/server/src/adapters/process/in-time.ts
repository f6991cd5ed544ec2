import { setTimeout as delay } from "node:timers/promises";

/**
 * Returns the result of `work`, or throws after `milliseconds`. The work itself continues, and a later failure is
 * ignored.
 */
export async function inTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = delay(milliseconds, undefined, { ref: false, signal: timer.signal }).then(
    () => Promise.reject(new Error(`no answer within ${milliseconds} ms`)),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timer.abort();
  }
}

/** Caches a result for `milliseconds`; concurrent callers share one read. A failure is not cached. */
export function cached<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let cache: { value: Promise<T>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (cache && now < cache.until) return cache.value;
    const value = read();
    const entry = { value, until: now + milliseconds };
    cache = entry;
    value.catch(() => {
      if (cache === entry) cache = undefined;
    });
    return value;
  };
}
