import { Redis } from "ioredis";

/** Every key of ours begins so (infra/queue-store.ts). */
const KEYS = "innkey:*";
const AT_ONCE = 1000;

/** Jobs in Redis are about rows that were replaced. What must be done is in the rows, and is found by the next sweeps. */
export async function emptyQueue(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  redis.on("error", () => undefined); // thrown by the command that it meets
  try {
    for await (const keys of redis.scanStream({ match: KEYS, count: AT_ONCE }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}
