import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";

export interface RedisLog {
  warn(details: object, message: string): void;
}

const ANSWER_MS = 2_000;
const KEEPALIVE_MS = 10_000;

/**
 * A connection for commands that somebody waits for: while Redis is away each fails at once, and none is kept for later.
 * It comes back by itself.
 */
export function connectRedis(url: string, log: RedisLog): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    keepAlive: KEEPALIVE_MS,
    connectionName: "innkey",
  });
  sayOnce(redis, url, log);
  return redis;
}

/** A connection that waits: for what others have to say, or for work. What was asked is asked again after a break. */
export function connectPatiently(url: string, log: RedisLog): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    keepAlive: KEEPALIVE_MS,
    connectionName: "innkey waiting",
  });
  sayOnce(redis, url, log);
  return redis;
}

/** Resolves once the first connection stands; later, whether it still does. @throws Error while Redis is away */
export async function requireReady(redis: Redis): Promise<void> {
  if (["connecting", "connect"].includes(redis.status)) {
    const patience = new AbortController();
    const ready = new Promise((resolve) => redis.once("ready", resolve));
    await Promise.race([ready, delay(ANSWER_MS, undefined, { ref: false, signal: patience.signal })]);
    patience.abort();
  }
  if (redis.status !== "ready") throw new Error("Redis does not answer");
}

/** By whom and of which address it was said: the connections to it that are down. */
const away = new WeakMap<RedisLog, Map<string, Set<Redis>>>();

/**
 * A Redis that is away fails at every try and on every connection to reach it; the log has the first word of an outage and
 * the last, whichever connections have them.
 */
function sayOnce(redis: Redis, url: string, log: RedisLog): void {
  const byUrl = away.get(log) ?? new Map<string, Set<Redis>>();
  away.set(log, byUrl);
  const down = byUrl.get(url) ?? new Set<Redis>();
  byUrl.set(url, down);
  redis.on("error", (error) => {
    if (down.size === 0) log.warn({ reason: error.message }, "Redis does not answer; trying again");
    down.add(redis);
  });
  redis.on("ready", () => {
    if (down.delete(redis) && down.size === 0) log.warn({}, "Redis is back");
  });
  redis.on("end", () => down.delete(redis));
}
