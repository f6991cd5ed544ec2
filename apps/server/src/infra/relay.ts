import { listenOnly } from "./relay-listener.ts";
import { RedisRelay } from "./relay-redis.ts";

/** Word from other connections and processes, sent by NOTIFY at commit. */
export interface Relay {
  /** `onMessage` gets the parsed payload; `onGap` is told that messages may have been missed. Returns the way out. */
  subscribe(subscriber: RelaySubscriber): () => void;
  /** how word comes at the moment */
  state(): RelayState;
  close(): Promise<void>;
}

export interface RelayState {
  via: "postgresql" | "redis";
  /** false: between a loss and the next connection, nothing is heard */
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
 * Hears what commits say. Without Redis by a LISTEN connection of this process. With it one process of all listens and
 * hands everything on through Redis. Resolves when it first listens, or at once goes on trying when it can't.
 */
export function connectRelay(url: string, log: RelayLog, redisUrl?: string): Promise<Relay> {
  return redisUrl === undefined ? listenOnly(url, log) : RedisRelay.connect(url, log, redisUrl);
}
