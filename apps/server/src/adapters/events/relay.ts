import pg from "pg";
import { SERVER_KEEPALIVE } from "../postgres/advisory-lock.ts";

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

/** Subscribers within this process. */
export class Subscribers {
  readonly #all = new Set<RelaySubscriber>();
  readonly #log: RelayLog;

  constructor(log: RelayLog) {
    this.#log = log;
  }

  add(subscriber: RelaySubscriber): () => void {
    this.#all.add(subscriber);
    return () => this.#all.delete(subscriber);
  }

  /** Delivers a payload of NOTIFY to all subscribers. */
  deliver(payload: string | undefined): void {
    let message: unknown;
    try {
      message = JSON.parse(payload ?? "");
    } catch (error) {
      this.#log.warn({ err: error, payload }, "a change message can't be parsed");
      return;
    }
    for (const subscriber of this.#all) subscriber.onMessage(message);
  }

  reportGap(): void {
    for (const subscriber of this.#all) subscriber.onGap();
  }
}

const CHANNEL = "innkey";
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;
/** This query detects a connection that died silently. */
const PING_MS = 15_000;

interface ListenerEvents {
  payload(text: string | undefined): void;
  /** the connection listens, for the first time or again; earlier messages may have been missed */
  listening(): void;
  lost(): void;
}

/** One LISTEN connection. It reconnects after any break, with growing pauses. */
export class Listener {
  readonly #url: string;
  readonly #log: RelayLog;
  readonly #events: ListenerEvents;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #listening = false;
  #closed = false;
  #abortConnecting: () => void = () => undefined;

  constructor(url: string, log: RelayLog, events: ListenerEvents) {
    this.#url = url;
    this.#log = log;
    this.#events = events;
  }

  get listening(): boolean {
    return this.#listening;
  }

  /** Resolves once it listens; if connecting fails, resolves at once and retries in the background. */
  async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "innkey relay",
      options: SERVER_KEEPALIVE,
      connectionTimeoutMillis: MAX_RETRY_MS,
      query_timeout: MAX_RETRY_MS,
      keepAlive: true,
    });
    this.#client = client;
    client.on("error", (error) => this.#onLost(client, error));
    client.on("end", () => this.#onLost(client, null));
    client.on("notification", ({ payload }) => {
      // Payloads before `listening` count as messages that may have been missed.
      if (this.#client === client && this.#listening) this.#events.payload(payload);
    });
    // pg never settles connect() if end() is called in between.
    const closed = new Promise<never>((_resolve, reject) => {
      this.#abortConnecting = () => reject(new Error("closed while it was connecting"));
    });
    try {
      await Promise.race([client.connect().then(() => client.query(`LISTEN ${CHANNEL}`)), closed]);
    } catch (error) {
      this.#onLost(client, error);
      return;
    }
    if (this.#client !== client) return;
    this.#listening = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.#timer = setInterval(() => {
      client.query("SELECT 1").catch((error: unknown) => this.#onLost(client, error));
    }, PING_MS).unref();
    this.#events.listening();
  }

  /**
   * Runs a query on the listening connection itself, so that its locks are released when it breaks.
   * @throws Error while there is no connection
   */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    const client = this.#client;
    if (!client || !this.#listening) throw new Error("no connection for changes");
    try {
      return (await client.query<Row>(text, values)).rows[0];
    } catch (error) {
      this.#onLost(client, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listening = false;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    this.#abortConnecting();
    await client?.end();
  }

  /** Handles the loss of a client once, for the first of its failures. */
  #onLost(client: pg.Client, error: unknown): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#listening = false;
    clearInterval(this.#timer);
    client.end().catch(() => undefined);
    this.#log.warn({ err: error, retryMs: this.#retryMs }, "lost the connection for changes; reconnecting");
    this.#timer = setTimeout(() => void this.connect(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
    this.#events.lost();
  }
}

/** Receives messages directly from PostgreSQL, by a connection of this process. */
export async function connectPostgresRelay(url: string, log: RelayLog): Promise<Relay> {
  const subscribers = new Subscribers(log);
  let hasListened = false;
  const listener = new Listener(url, log, {
    payload: (text) => subscribers.deliver(text),
    listening() {
      if (hasListened) subscribers.reportGap();
      hasListened = true;
    },
    lost: () => undefined,
  });
  await listener.connect();
  return {
    subscribe: (subscriber) => subscribers.add(subscriber),
    state: () => ({ via: "postgresql", listening: listener.listening }),
    close: () => listener.close(),
  };
}
