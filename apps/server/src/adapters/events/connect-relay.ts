import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { connectPatiently, connectRedis } from "../redis/redis.ts";
import {
  connectPostgresRelay,
  Listener,
  type Relay,
  type RelayLog,
  type RelayState,
  type RelaySubscriber,
  Subscribers,
} from "./relay.ts";

const HEARTBEAT_MS = 1_000;
/** After this time without a message, the carrier or the connection to it is considered lost. */
const MAX_SILENCE_MS = 3_000;
/** Number of the carrier's advisory lock: arbitrary, but unique in this database. */
const CARRIER_LOCK = 461_175_021;

/**
 * Message of a carrier: each change with a number, and every second the latest number. A receiver that finds a missing
 * number or another carrier knows that it may have missed messages.
 */
const carrierMessage = z.object({
  term: z.string(),
  count: z.int(),
  payload: z.string().optional(),
  /** this is the carrier's last message */
  ended: z.boolean().optional(),
});
type CarrierMessage = z.infer<typeof carrierMessage>;

/**
 * Relays messages through Redis. One process, the carrier, holds an advisory lock, listens to PostgreSQL and forwards
 * everything; the others need no connection for it. A process that receives nothing from a carrier listens itself, so
 * an outage of Redis only costs connections. One of the processes that listen and reach Redis becomes the carrier.
 */
class RedisRelay implements Relay {
  readonly #url: string;
  readonly #log: RelayLog;
  readonly #subscribers: Subscribers;
  readonly #subscriber: Redis;
  readonly #publisher: Redis;
  readonly #channel: string;
  #listener: Listener | undefined;
  /** Set while this process is the carrier. `reached`: Redis accepted the last message */
  #ownTerm: { term: string; count: number; reached: boolean } | undefined;
  /** The carrier that this process follows; `at`: time of its last message, as of performance.now() */
  #carrier: { term: string; count: number; at: number } | undefined;
  #checks: Promise<void> = Promise.resolve();
  #checkQueued = false;
  #timer: NodeJS.Timeout | undefined;
  #hasListened = false;
  #closed = false;

  private constructor(url: string, log: RelayLog, redisUrl: string) {
    this.#url = url;
    this.#log = log;
    this.#subscribers = new Subscribers(log);
    this.#subscriber = connectPatiently(redisUrl, log);
    this.#publisher = connectRedis(redisUrl, { warn: () => undefined });
    // Two systems that share a Redis but use different databases also share its channels, so the channel includes the
    // database.
    this.#channel = `innkey:changes:${this.#publisher.options.db ?? 0}`;
  }

  /**
   * Resolves once it listens to PostgreSQL; if that fails, resolves at once and retries in the background.
   */
  static async connect(url: string, log: RelayLog, redisUrl: string): Promise<Relay> {
    const relay = new RedisRelay(url, log, redisUrl);
    await relay.#listen();
    relay.#start();
    return relay;
  }

  subscribe(subscriber: RelaySubscriber): () => void {
    return this.#subscribers.add(subscriber);
  }

  state(): RelayState {
    const following = this.#isFollowing();
    return {
      via: following || this.#ownTerm?.reached ? "redis" : "postgresql",
      listening: following || this.#listener?.listening === true,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#checks;
    if (this.#ownTerm) {
      await this.#releaseLock().catch(() => undefined);
      await this.#publish({ ended: true });
    }
    this.#subscriber.disconnect();
    this.#publisher.disconnect();
    await this.#listener?.close();
  }

  #start(): void {
    this.#subscriber.on("message", (_channel, text) => this.#receive(text));
    this.#subscriber.on("close", () => this.#checkSource());
    this.#publisher.on("ready", () => this.#checkSource());
    this.#subscriber.subscribe(this.#channel).then(
      () => this.#checkSource(),
      (error: unknown) => this.#log.warn({ err: error }, "Redis refuses the subscription to the channel for changes"),
    );
    this.#timer = setInterval(() => this.#checkSource(), HEARTBEAT_MS).unref();
  }

  #isFollowing(): boolean {
    const carrier = this.#carrier;
    if (carrier === undefined || this.#subscriber.status !== "ready") return false;
    return performance.now() - carrier.at < MAX_SILENCE_MS;
  }

  /**
   * Checks whether to follow the carrier, to listen to PostgreSQL or to become the carrier. Checks run one after the
   * other; at most one is queued.
   */
  #checkSource(): void {
    if (this.#checkQueued) return;
    this.#checkQueued = true;
    this.#checks = this.#checks.then(async () => {
      this.#checkQueued = false;
      if (this.#closed) return;
      if (this.#ownTerm) await this.#sendHeartbeat();
      else if (!this.#isFollowing()) await this.#listenAndTryToCarry();
    });
  }

  /** Listens to PostgreSQL, and becomes the carrier if Redis is reachable and no other process holds the lock. */
  async #listenAndTryToCarry(): Promise<void> {
    this.#carrier = undefined;
    if (!this.#listener) await this.#listen();
    if (this.#publisher.status !== "ready" || this.#subscriber.status !== "ready" || !this.#listener?.listening) return;
    try {
      const lock = await this.#listener.query<{ acquired: boolean }>("SELECT pg_try_advisory_lock($1) AS acquired", [
        CARRIER_LOCK,
      ]);
      if (!lock?.acquired) return;
      this.#ownTerm = { term: randomUUID(), count: 0, reached: false };
      await this.#sendHeartbeat();
    } catch {
      // the listener has logged the error and reconnects
    }
  }

  /**
   * Sends the latest number, only right after PostgreSQL answered on the connection that listens and holds the lock.
   */
  async #sendHeartbeat(): Promise<void> {
    try {
      await this.#listener?.query("SELECT 1");
      if (!(await this.#publish({}))) await this.#stepDown();
    } catch {
      this.#ownTerm = undefined;
    }
  }

  /** Releases the lock, so that a process that reaches Redis can become the carrier. */
  async #stepDown(): Promise<void> {
    this.#ownTerm = undefined;
    await this.#releaseLock();
  }

  async #releaseLock(): Promise<void> {
    await this.#listener?.query("SELECT pg_advisory_unlock($1)", [CARRIER_LOCK]);
  }

  /** Returns false if Redis did not accept the message; the next number reveals the gap to the others. */
  async #publish(content: Partial<CarrierMessage>): Promise<boolean> {
    const ownTerm = this.#ownTerm;
    if (!ownTerm) return false;
    const { term, count } = ownTerm;
    const text = JSON.stringify({ term, count, ...content } satisfies CarrierMessage);
    ownTerm.reached = await this.#publisher.publish(this.#channel, text).then(
      () => true,
      () => false,
    );
    return ownTerm.reached;
  }

  async #listen(): Promise<void> {
    this.#listener = new Listener(this.#url, this.#log, {
      payload: (text) => {
        this.#subscribers.deliver(text);
        if (!this.#ownTerm) return;
        this.#ownTerm.count += 1;
        void this.#publish({ payload: text ?? "" });
      },
      listening: () => {
        if (this.#hasListened) this.#subscribers.reportGap();
        this.#hasListened = true;
      },
      lost: () => {
        this.#ownTerm = undefined;
      },
    });
    await this.#listener.connect();
  }

  #receive(text: string): void {
    const message = parseCarrierMessage(text);
    if (!message || this.#closed || this.#ownTerm) return;
    const { term, count, payload, ended } = message;
    const before = this.#carrier;
    if (ended) {
      if (before?.term !== term) return;
      this.#carrier = undefined;
      this.#checkSource();
      return;
    }
    this.#carrier = { term, count, at: performance.now() };
    const expected = before?.term === term ? before.count + (payload === undefined ? 0 : 1) : undefined;
    if (this.#listener) {
      // From here on the carrier is sufficient; messages it sent before this one may not have arrived from PostgreSQL
      // yet.
      void this.#listener.close().catch(() => undefined);
      this.#listener = undefined;
      this.#subscribers.reportGap();
    } else if (count !== expected) this.#subscribers.reportGap();
    if (payload !== undefined) this.#subscribers.deliver(payload);
  }
}

/** Returns null for a message that is not a carrier's. */
function parseCarrierMessage(text: string): CarrierMessage | null {
  try {
    return carrierMessage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Receives the notifications of commits. Without Redis, this process uses its own LISTEN connection. With Redis, one
 * process listens and forwards everything through Redis. Resolves once it listens to PostgreSQL; if that fails,
 * resolves at once and retries in the background.
 */
export function connectRelay(url: string, log: RelayLog, redisUrl?: string): Promise<Relay> {
  return redisUrl === undefined ? connectPostgresRelay(url, log) : RedisRelay.connect(url, log, redisUrl);
}
