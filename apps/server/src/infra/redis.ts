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
  sayOnce(redis, log);
  return redis;
}

/** A connection that waits: for what others have to say, or for work. What was asked is asked again after a break. */
export function connectPatiently(url: string, log: RedisLog): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    keepAlive: KEEPALIVE_MS,
    connectionName: "innkey waiting",
  });
  sayOnce(redis, log);
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

/** A Redis that is away fails at every try to reach it; the log has its first word and its last. */
function sayOnce(redis: Redis, log: RedisLog): void {
  let away = false;
  redis.on("error", (error) => {
    if (!away) log.warn({ reason: error.message }, "Redis does not answer; trying again");
    away = true;
  });
  redis.on("ready", () => {
    if (away) log.warn({}, "Redis is back");
    away = false;
  });
}
