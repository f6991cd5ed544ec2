import { setTimeout as delay } from "node:timers/promises";

/** What `work` gives, or an error after `milliseconds`; the work itself goes on, and its late failure is nobody's. */
export async function inTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const late = delay(milliseconds, undefined, { ref: false, signal: settled.signal }).then(
    () => Promise.reject(new Error(`no answer within ${milliseconds} ms`)),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    settled.abort();
  }
}

/** Kept for a while, and read once however many ask meanwhile. A failure is not kept. */
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
