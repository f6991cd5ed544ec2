import type { Relay, RelayLog } from "./relay.ts";
import { listenOnly } from "./relay-listener.ts";
import { RedisRelay } from "./relay-redis.ts";

/**
 * Receives the notifications of commits. Without Redis, this process uses its own LISTEN connection. With Redis, one of
 * all processes listens and forwards everything through Redis. Resolves when it first listens; if that fails, resolves
 * immediately and retries in the background.
 */
export function connectRelay(url: string, log: RelayLog, redisUrl?: string): Promise<Relay> {
  return redisUrl === undefined ? listenOnly(url, log) : RedisRelay.connect(url, log, redisUrl);
}
