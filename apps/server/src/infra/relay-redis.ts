import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import { connectPatiently, connectRedis } from "./redis.ts";
import type { Relay, RelayLog, RelayState, RelaySubscriber } from "./relay.ts";
import { Listener } from "./relay-listener.ts";
import { Subscribers } from "./relay-subscribers.ts";

const BEAT_MS = 1_000;
/** A carrier that said nothing for so long is gone, or the way to it is. */
const SILENT_MS = 3_000;
/** The carrier's advisory lock. Any number, as long as nobody else takes it for something else. */
const CARRIER_LOCK = 461_175_021;

/**
 * What a carrier says: each change, numbered, and every second the number of the last one. Whoever finds a number missing,
 * or another carrier than before, knows that something may have been missed.
 */
const carried = z.object({
  term: z.string(),
  count: z.int(),
  payload: z.string().optional(),
  /** this was its last word */
  ended: z.boolean().optional(),
});
type Carried = z.infer<typeof carried>;

/**
 * Word through Redis. One process of all holds the carrier's lock, listens at PostgreSQL and hands everything on; the
 * others hold no connection for it. Whoever hears no carrier listens for itself, so that a Redis that is away costs
 * nothing but connections; of those who listen and reach Redis, one becomes the carrier.
 */
export class RedisRelay implements Relay {
  readonly #url: string;
  readonly #log: RelayLog;
  readonly #subscribers: Subscribers;
  readonly #hearing: Redis;
  readonly #saying: Redis;
  readonly #channel: string;
  #listener: Listener | undefined;
  /** `reached`: Redis took what was said last */
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
    // A Redis that two systems share by its databases has one set of channels for all of them.
    this.#channel = `innkey:changes:${this.#saying.options.db ?? 0}`;
  }

  /** Resolves when word comes straight from PostgreSQL, or at once goes on trying when it can't. */
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

  /** Where word comes from now, and whether it is this process that has to carry it; one look at a time, one waiting. */
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
      // the listener has said why, and comes back
    }
  }

  /** Said only right after PostgreSQL answered on the connection that listens and holds the lock. */
  async #beat(): Promise<void> {
    try {
      await this.#listener?.ask("SELECT 1");
      if (!(await this.#say({}))) await this.#stepDown();
    } catch {
      this.#carrying = undefined;
    }
  }

  /** Whoever reaches Redis may carry. */
  async #stepDown(): Promise<void> {
    this.#carrying = undefined;
    await this.#giveUpLock();
  }

  async #giveUpLock(): Promise<void> {
    await this.#listener?.ask("SELECT pg_advisory_unlock($1)", [CARRIER_LOCK]);
  }

  /** False if Redis did not take it; the next number tells the others. */
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
      // From here on the carrier is enough; what it said before this word may not have come from PostgreSQL yet.
      void this.#listener.close().catch(() => undefined);
      this.#listener = undefined;
      this.#subscribers.gap();
    } else if (count !== expected) this.#subscribers.gap();
    if (payload !== undefined) this.#subscribers.tell(payload);
  }
}

/** Null for what is none of ours. */
function readCarried(text: string): Carried | null {
  try {
    return carried.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
