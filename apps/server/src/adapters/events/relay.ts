import { listenOnly } from "./relay-listener.ts";
import { RedisRelay } from "./relay-redis.ts";

/** Messages from other connections and processes, sent by NOTIFY at commit. */
export interface Relay {
  /**
   * `onMessage` gets the parsed payload; `onGap` is called when messages may have been missed. Returns the unsubscribe
   * function.
   */
  subscribe(subscriber: RelaySubscriber): () => void;
  /** source of the messages at the moment */
  state(): RelayState;
  close(): Promise<void>;
}

export interface RelayState {
  via: "postgresql" | "redis";
  /** false between a loss and the next connection, when no message arrives */
  listening: boolean;
}

export interface RelaySubscriber {
  onMessage(message: unknown): void;
  onGap(): void;
}

export interface RelayLog {
  warn(details: object, message: string): void;
}

/**
 * Receives the notifications of commits. Without Redis, this process uses its own LISTEN connection. With Redis, one of
 * all processes listens and forwards everything through Redis. Resolves when it first listens; if that fails, resolves
 * immediately and retries in the background.
 */
export function connectRelay(url: string, log: RelayLog, redisUrl?: string): Promise<Relay> {
  return redisUrl === undefined ? listenOnly(url, log) : RedisRelay.connect(url, log, redisUrl);
}
