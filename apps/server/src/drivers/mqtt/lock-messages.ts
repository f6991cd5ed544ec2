import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "@innkey/shared/errors";
import { ackMessage, type EventAck, eventMessage, statusMessage } from "@innkey/shared/locks/protocol";
import type { MqttLink, MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { LockReports } from "../../domain/access/lock-links/driver.ts";
import { asDomainError, isTransient } from "../../kernel/errors.ts";
import { isTooDeep } from "../../kernel/json-depth.ts";

const MAX_SENDERS = 10_000;

/** Counts messages that don't parse. Logs each sender once, never the content of the message. */
export class BadMessages {
  readonly #log: Logger;
  readonly #loggedSenders = new Set<string>();
  #count = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get count(): number {
    return this.#count;
  }

  drop(sender: string, part: string): void {
    this.#count += 1;
    if (this.#loggedSenders.has(sender) || this.#loggedSenders.size >= MAX_SENDERS) return;
    this.#loggedSenders.add(sender);
    this.#log.warn({ lock: sender, part }, "invalid message from a lock dropped");
  }
}

/** Parses a payload as JSON. Returns undefined if it isn't JSON or nests too deeply. */
export function jsonOf(payload: Buffer): unknown {
  const text = payload.toString("utf8");
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 30_000;
/**
 * After this time we drop work that fails for another reason than an unavailable database. The lock gets no
 * acknowledgement and sends its message again.
 */
const GIVE_UP_MS = 5_000;
/** Limit per key. Work above it is dropped; the sender gets no acknowledgement and sends its message again. */
const MAX_WAITING = 100;

/**
 * Runs the work of each key in order of arrival; different keys don't wait for each other. Failed work is retried with
 * growing pauses, so nothing is overtaken. Work that fails permanently is dropped after `giveUpMs`, because otherwise
 * a few locks that send nonsense would block all others.
 */
export class KeyedQueue {
  readonly #log: Logger;
  readonly #tails = new Map<string, { done: Promise<void>; waiting: number }>();
  readonly #giveUpMs: number;
  readonly #closed = new AbortController();
  #dropped = 0;

  constructor(log: Logger, giveUpMs = GIVE_UP_MS) {
    this.#log = log;
    this.#giveUpMs = giveUpMs;
    // Every waiting key adds a listener to this signal, so we lift Node's limit.
    setMaxListeners(0, this.#closed.signal);
  }

  /** Number of work items dropped because too many waited for one key or because they failed permanently. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Resolves once the work is done or dropped. @throws never */
  take(key: string, work: () => Promise<void>): Promise<void> {
    const tail = this.#tails.get(key) ?? { done: Promise.resolve(), waiting: 0 };
    if (tail.waiting >= MAX_WAITING) {
      this.#dropped += 1;
      return Promise.resolve();
    }
    tail.waiting += 1;
    const done = tail.done.then(async () => {
      await this.#runWithRetries(key, work);
      tail.waiting -= 1;
      if (tail.waiting === 0) this.#tails.delete(key);
    });
    tail.done = done;
    this.#tails.set(key, tail);
    return done;
  }

  /** Drops all waiting work. */
  close(): void {
    this.#closed.abort();
  }

  async #runWithRetries(key: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    for (let pause = MIN_PAUSE_MS; !this.#closed.signal.aborted; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isTemporary(error) && performance.now() - startedAt >= this.#giveUpMs) {
          this.#dropped += 1;
          this.#log.error({ err: error, lock: key }, "lock message could not be stored, dropped");
          return;
        }
        this.#log.warn({ err: error, lock: key, retryMs: pause }, "lock message could not be stored, retrying");
        await delay(pause, undefined, { signal: this.#closed.signal }).catch(() => undefined);
      }
    }
  }
}

/** Checks whether the error is temporary: the database is unavailable, or another transaction won. */
function isTemporary(error: unknown): boolean {
  const reason = asDomainError(error);
  return isTransient(error) || (reason instanceof DomainError && reason.code === "unavailable");
}

const TOPIC = /^lockd\/(\d{1,9})\/([0-9A-F]{12})\/(ack|event|status)$/;

interface LockMessagesDeps {
  link: Pick<MqttLink, "publish">;
  reports: Omit<LockReports, "listening">;
  keyedQueue: KeyedQueue;
  bad: BadMessages;
}

/** Handles the messages of locks with driver `mqtt`, in order per lock. The handler returns null for other topics. */
export function lockMessages(deps: LockMessagesDeps): (message: MqttMessage) => Promise<void> | null {
  const { reports, keyedQueue, bad } = deps;
  return ({ topic, payload, retained }) => {
    const [, hotel, digits, part] = TOPIC.exec(topic) ?? [];
    if (hotel === undefined || digits === undefined) return null;
    const lock = { hotelId: Number(hotel), mac: digits.replace(/..(?=.)/g, "$&:") };
    const key = `${hotel}/${digits}`;
    const drop = async (): Promise<void> => bad.drop(key, part ?? "");
    if (part === "ack") {
      const ack = ackMessage.safeParse(jsonOf(payload));
      return ack.success ? keyedQueue.take(key, () => reports.acknowledge(lock, ack.data)) : drop();
    }
    if (part === "status") {
      // The last will is a bare word, because it is set in advance and can't contain a time.
      const bare = payload.toString("utf8").trim() === "offline";
      const status = statusMessage.safeParse(bare ? { state: "offline" } : jsonOf(payload));
      return status.success ? keyedQueue.take(key, () => reports.status(lock, status.data, retained)) : drop();
    }
    const batch = eventMessage.safeParse(jsonOf(payload));
    if (!batch.success) return drop();
    const { events, log } = batch.data;
    return keyedQueue.take(key, async () => {
      const seq = await reports.events(lock, events, log);
      acknowledge(deps.link, `${topic}/ack`, log === null ? { seq } : { seq, log });
    });
  };
}

/**
 * Acknowledges stored events only. We don't await the broker: while too many messages are in work its answers aren't
 * read, and a lock without an acknowledgement sends its events again.
 */
function acknowledge(link: LockMessagesDeps["link"], topic: string, ack: EventAck): void {
  link.publish(topic, JSON.stringify(ack)).catch(() => undefined);
}
