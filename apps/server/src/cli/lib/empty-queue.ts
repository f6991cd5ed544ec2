import { Redis } from "ioredis";

/** Prefix of all our keys (adapters/queue/queue-store.ts). */
const KEYS = "innkey:*";
const AT_ONCE = 1000;

/**
 * Deletes the jobs in Redis, because they refer to replaced rows. Outstanding work is stored in the rows, where the
 * next sweeps find it.
 */
export async function emptyQueue(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  redis.on("error", () => undefined); // The next command throws this error
  try {
    for await (const keys of redis.scanStream({ match: KEYS, count: AT_ONCE }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}
