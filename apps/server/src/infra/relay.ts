import pg from "pg";

/** Word from other connections and processes, sent by NOTIFY at commit. */
export interface Relay {
  /** `onMessage` gets the parsed payload; `onGap` is told that messages may have been missed. Returns the way out. */
  subscribe(subscriber: RelaySubscriber): () => void;
  close(): Promise<void>;
}

export interface RelaySubscriber {
  onMessage(message: unknown): void;
  onGap(): void;
}

export interface RelayLog {
  warn(details: object, message: string): void;
}

const CHANNEL = "innkey";
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
/** A connection that died without a word is noticed by this question. */
const PING_MS = 15_000;

/**
 * One dedicated LISTEN connection for the process. It comes back by itself after any break, with growing pauses, and then
 * tells every subscriber of the gap. Resolves when it first listens, or at once goes on trying when it can't.
 */
export async function connectRelay(url: string, log: RelayLog): Promise<Relay> {
  const listener = new Listener(url, log);
  await listener.connect();
  return listener;
}

class Listener implements Relay {
  readonly #subscribers = new Set<RelaySubscriber>();
  readonly #url: string;
  readonly #log: RelayLog;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #hadConnection = false;
  #closed = false;

  constructor(url: string, log: RelayLog) {
    this.#url = url;
    this.#log = log;
  }

  subscribe(subscriber: RelaySubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "innkey relay",
      connectionTimeoutMillis: LAST_RETRY_MS,
      query_timeout: LAST_RETRY_MS,
      keepAlive: true,
    });
    this.#client = client;
    client.on("error", (error) => this.#lost(client, error));
    client.on("end", () => this.#lost(client, null));
    client.on("notification", ({ payload }) => this.#receive(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      this.#lost(client, error);
      return;
    }
    if (this.#client !== client) return;
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#hadConnection) for (const subscriber of this.#subscribers) subscriber.onGap();
    this.#hadConnection = true;
    this.#timer = setInterval(() => {
      client.query("SELECT 1").catch((error: unknown) => this.#lost(client, error));
    }, PING_MS).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  /** A client is given up once, by whichever of its failures comes first. */
  #lost(client: pg.Client, error: unknown): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    clearInterval(this.#timer);
    client.end().catch(() => undefined);
    this.#log.warn({ err: error, retryMs: this.#retryMs }, "lost the connection that carries changes; trying again");
    this.#timer = setTimeout(() => void this.connect(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #receive(payload: string | undefined): void {
    let message: unknown;
    try {
      message = JSON.parse(payload ?? "");
    } catch (error) {
      this.#log.warn({ err: error, payload }, "a change that can't be read");
      return;
    }
    for (const subscriber of this.#subscribers) subscriber.onMessage(message);
  }
}
