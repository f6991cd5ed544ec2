import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";

export interface RedisLog {
  warn(details: object, message: string): void;
}

const ANSWER_MS = 2_000;
const KEEPALIVE_MS = 10_000;

/**
 * Opens a connection for commands that a caller waits for: while Redis is unreachable, each command fails immediately
 * and none is queued. The client reconnects.
 */
export function connectRedis(url: string, log: RedisLog): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    keepAlive: KEEPALIVE_MS,
    connectionName: "innkey",
  });
  logOutages(redis, url, log);
  return redis;
}

/** Opens a connection that waits, for subscriptions or for work. Commands are repeated after a break. */
export function connectPatiently(url: string, log: RedisLog): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    keepAlive: KEEPALIVE_MS,
    connectionName: "innkey waiting",
  });
  logOutages(redis, url, log);
  return redis;
}

/**
 * Resolves once the first connection is established; later, checks that it still is.
 * @throws Error while Redis is unreachable
 */
export async function requireReady(redis: Redis): Promise<void> {
  if (["connecting", "connect"].includes(redis.status)) {
    const timer = new AbortController();
    const ready = new Promise((resolve) => redis.once("ready", resolve));
    await Promise.race([ready, delay(ANSWER_MS, undefined, { ref: false, signal: timer.signal })]);
    timer.abort();
  }
  if (redis.status !== "ready") throw new Error("Redis does not answer");
}

/** Connections that are down, by log and address, to log each outage once. */
const downByLog = new WeakMap<RedisLog, Map<string, Set<Redis>>>();

/**
 * An unreachable Redis fails at every attempt and on every connection; we log only the beginning and the end of an
 * outage, whichever connections notice them.
 */
function logOutages(redis: Redis, url: string, log: RedisLog): void {
  const byUrl = downByLog.get(log) ?? new Map<string, Set<Redis>>();
  downByLog.set(log, byUrl);
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
