import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { connectPatiently, connectRedis } from "../redis/redis.ts";
import {
  Listener,
  listenOnly,
  type Relay,
  type RelayLog,
  type RelayState,
  type RelaySubscriber,
  Subscribers,
} from "./relay.ts";

const BEAT_MS = 1_000;
/** After this time without a message, the carrier or the connection to it is considered lost. */
const SILENT_MS = 3_000;
/** Number of the carrier's advisory lock: arbitrary, but unique in this database. */
const CARRIER_LOCK = 461_175_021;

/**
 * Message of a carrier: each change with a number, and every second the latest number. A receiver that finds a missing
 * number or another carrier knows that it may have missed messages.
 */
const carried = z.object({
  term: z.string(),
  count: z.int(),
  payload: z.string().optional(),
  /** this is the carrier's last message */
  ended: z.boolean().optional(),
});
type Carried = z.infer<typeof carried>;

/**
 * Relays messages through Redis. One of all processes holds the carrier's lock, listens to PostgreSQL and forwards
 * everything; the others need no connection for it. A process that receives nothing from a carrier listens itself, so
 * an outage of Redis only costs connections. One of the processes that listen and reach Redis becomes the carrier.
 */
class RedisRelay implements Relay {
  readonly #url: string;
  readonly #log: RelayLog;
  readonly #subscribers: Subscribers;
  readonly #hearing: Redis;
  readonly #saying: Redis;
  readonly #channel: string;
  #listener: Listener | undefined;
  /** `reached`: Redis accepted the last message */
  #carrying: { term: string; count: number; reached: boolean } | undefined;
  #followed: { term: string; count: number; at: number } | undefined;
  #looking: Promise<void> = Promise.resolve();
  #lookWaits = false;
  #timer: NodeJS.Timeout | undefined;
  #heardBefore = false;
  #closed = false;

  private constructor(url: string, log: RelayLog, redisUrl: string) {
    this.#url = url;
    this.#log = log;
    this.#subscribers = new Subscribers(log);
    this.#hearing = connectPatiently(redisUrl, log);
    this.#saying = connectRedis(redisUrl, { warn: () => undefined });
    // Two systems that share a Redis but use different databases also share its channels, so the channel includes the
    // database.
    this.#channel = `innkey:changes:${this.#saying.options.db ?? 0}`;
  }

  /**
   * Resolves when messages arrive directly from PostgreSQL; if that fails, resolves immediately and retries in the
   * background.
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
      via: following || this.#carrying?.reached ? "redis" : "postgresql",
      listening: following || this.#listener?.listening === true,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#looking;
    if (this.#carrying) {
      await this.#giveUpLock().catch(() => undefined);
      await this.#say({ ended: true });
    }
    this.#hearing.disconnect();
    this.#saying.disconnect();
    await this.#listener?.close();
  }

  #start(): void {
    this.#hearing.on("message", (_channel, text) => this.#hear(text));
    this.#hearing.on("close", () => this.#look());
    this.#saying.on("ready", () => this.#look());
    this.#hearing.subscribe(this.#channel).then(
      () => this.#look(),
      (error: unknown) => this.#log.warn({ err: error }, "Redis refuses the channel that changes travel on"),
    );
    this.#timer = setInterval(() => this.#look(), BEAT_MS).unref();
  }

  #isFollowing(): boolean {
    const followed = this.#followed;
    return followed !== undefined && this.#hearing.status === "ready" && performance.now() - followed.at < SILENT_MS;
  }

  /**
   * Decides where messages come from now, and whether this process has to carry. One check runs at a time, and one may
   * wait.
   */
  #look(): void {
    if (this.#lookWaits) return;
    this.#lookWaits = true;
    this.#looking = this.#looking.then(async () => {
      this.#lookWaits = false;
      if (this.#closed) return;
      if (this.#carrying) await this.#beat();
      else if (!this.#isFollowing()) await this.#listenAndOffer();
    });
  }

  async #listenAndOffer(): Promise<void> {
    this.#followed = undefined;
    if (!this.#listener) await this.#listen();
    if (this.#saying.status !== "ready" || this.#hearing.status !== "ready" || !this.#listener?.listening) return;
    try {
      const lock = await this.#listener.ask<{ ours: boolean }>("SELECT pg_try_advisory_lock($1) AS ours", [
        CARRIER_LOCK,
      ]);
      if (!lock?.ours) return;
      this.#carrying = { term: randomUUID(), count: 0, reached: false };
      await this.#beat();
    } catch {
      // the listener has logged the error and reconnects
    }
  }

  /**
   * Sends the latest number, only right after PostgreSQL answered on the connection that listens and holds the lock.
   */
  async #beat(): Promise<void> {
    try {
      await this.#listener?.ask("SELECT 1");
      if (!(await this.#say({}))) await this.#stepDown();
    } catch {
      this.#carrying = undefined;
    }
  }

  /** Releases the lock, so that a process that reaches Redis can become the carrier. */
  async #stepDown(): Promise<void> {
    this.#carrying = undefined;
    await this.#giveUpLock();
  }

  async #giveUpLock(): Promise<void> {
    await this.#listener?.ask("SELECT pg_advisory_unlock($1)", [CARRIER_LOCK]);
  }

  /** Returns false if Redis did not accept the message; the next number reveals the gap to the others. */
  async #say(words: Partial<Carried>): Promise<boolean> {
    const carrying = this.#carrying;
    if (!carrying) return false;
    const { term, count } = carrying;
    const text = JSON.stringify({ term, count, ...words } satisfies Carried);
    carrying.reached = await this.#saying.publish(this.#channel, text).then(
      () => true,
      () => false,
    );
    return carrying.reached;
  }

  async #listen(): Promise<void> {
    this.#listener = new Listener(this.#url, this.#log, {
      payload: (text) => {
        this.#subscribers.tell(text);
        if (!this.#carrying) return;
        this.#carrying.count += 1;
        void this.#say({ payload: text ?? "" });
      },
      listening: () => {
        if (this.#heardBefore) this.#subscribers.gap();
        this.#heardBefore = true;
      },
      lost: () => {
        this.#carrying = undefined;
      },
    });
    await this.#listener.connect();
  }

  #hear(text: string): void {
    const message = readCarried(text);
    if (!message || this.#closed || this.#carrying) return;
    const { term, count, payload, ended } = message;
    const before = this.#followed;
    if (ended) {
      if (before?.term !== term) return;
      this.#followed = undefined;
      this.#look();
      return;
    }
    this.#followed = { term, count, at: performance.now() };
    const expected = before?.term === term ? before.count + (payload === undefined ? 0 : 1) : undefined;
    if (this.#listener) {
      // From here on the carrier is sufficient; messages it sent before this one may not have arrived from PostgreSQL
      // yet.
      void this.#listener.close().catch(() => undefined);
      this.#listener = undefined;
      this.#subscribers.gap();
    } else if (count !== expected) this.#subscribers.gap();
    if (payload !== undefined) this.#subscribers.tell(payload);
  }
}

/** Returns null for a message that is not a carrier's. */
function readCarried(text: string): Carried | null {
  try {
    return carried.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Receives the notifications of commits. Without Redis, this process uses its own LISTEN connection. With Redis, one of
 * all processes listens and forwards everything through Redis. Resolves when it first listens; if that fails, resolves
 * immediately and retries in the background.
 */
export function connectRelay(url: string, log: RelayLog, redisUrl?: string): Promise<Relay> {
  return redisUrl === undefined ? listenOnly(url, log) : RedisRelay.connect(url, log, redisUrl);
}
