import { connect, type IClientOptions, type MqttClient } from "mqtt";
import type { Logger } from "../telemetry/logger.ts";

export interface MqttMessage {
  topic: string;
  payload: Buffer;
  /** the broker retained it from before this connection subscribed */
  retained: boolean;
}

export interface MqttOptions {
  url: string;
  user?: string;
  password?: string;
  /** limit of messages processed at once; when it is reached, reading pauses until one is done */
  mostInWork: number;
  log: Logger;
}

export interface PublishOptions {
  retain?: boolean;
  signal?: AbortSignal;
}

const RECONNECT_MS = 1_000;
/** Long, because while too many messages are being processed nothing is read, not even the answer to a ping. */
const KEEPALIVE_SECONDS = 240;
/** Time that a start waits for the first connection before it continues without one. */
const FIRST_CONNECTION_MS = 3_000;

/** Connects, or keeps trying in the background: an unreachable broker never prevents the server from running. */
export async function connectMqtt({ url, user, password, mostInWork, log }: MqttOptions): Promise<MqttLink> {
  const settings: IClientOptions = {
    reconnectPeriod: RECONNECT_MS,
    reconnectOnConnackError: true,
    keepalive: KEEPALIVE_SECONDS,
    resubscribe: false,
    manualConnect: true,
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
  };
  const client = connect(url, settings);
  const link = new MqttLink(client, mostInWork, log);
  client.connect();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, FIRST_CONNECTION_MS);
    client.once("connect", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return link;
}

/** The one connection to a broker. After any break it reconnects and subscribes again. */
export class MqttLink {
  /** Called for every message, which counts as in progress until the promise settles. */
  onMessage: (message: MqttMessage) => Promise<void> = async () => {};
  /** Called after each connection that is established while this is set. */
  onConnect: () => void = () => {};
  readonly #client: MqttClient;
  readonly #log: Logger;
  readonly #topics = new Set<string>();
  #inWork = 0;
  /** continues reading the broker's next message, which waits while too many are being processed */
  #readOn: (() => void) | undefined;
  #down = false;

  constructor(client: MqttClient, mostInWork: number, log: Logger) {
    this.#client = client;
    this.#log = log;
    client.handleMessage = ({ topic, payload, retain }, done) => {
      this.#work({ topic, payload: Buffer.from(payload), retained: retain });
      if (this.#inWork < mostInWork) done();
      else this.#readOn = done;
    };
    client.on("connect", () => this.#connected());
    client.on("close", () => this.#lost(null));
    client.on("error", (error) => this.#lost(error));
  }

  get connected(): boolean {
    return this.#client.connected;
  }

  /**
   * Publishes with QoS 1 and resolves when the broker has the message.
   * @throws Error while the connection is down, or if `signal` aborts first
   */
  async publish(topic: string, message: string, { retain = false, signal }: PublishOptions = {}): Promise<void> {
    if (!this.#client.connected) throw new Error("no connection to the broker");
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      this.#client.publish(topic, message, { qos: 1, retain }, (error) => {
        signal?.removeEventListener("abort", giveUp);
        if (error) reject(error);
        else resolve();
      });
      const messageId = this.#client.getLastMessageId();
      // An abandoned message must not be sent later, after a reconnect.
      const giveUp = (): void => {
        this.#client.removeOutgoingMessage(messageId);
        reject(new Error("the broker did not take it in time"));
      };
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  subscribe(topics: readonly string[]): void {
    for (const topic of topics) this.#topics.add(topic);
    if (this.#client.connected) this.#ask(topics);
  }

  /** Requests the retained messages of topics once, whether or not they are subscribed to. */
  hearKept(topics: readonly string[]): void {
    if (!this.#client.connected) return;
    this.#client.subscribe([...topics], { qos: 1 }, () => {
      const passing = topics.filter((topic) => !this.#topics.has(topic));
      if (this.#client.connected && passing.length > 0) this.#client.unsubscribe(passing);
    });
  }

  unsubscribe(topics: readonly string[]): void {
    for (const topic of topics) this.#topics.delete(topic);
    if (this.#client.connected && topics.length > 0) this.#client.unsubscribe([...topics]);
  }

  async close(): Promise<void> {
    await this.#client.endAsync(true);
  }

  #ask(topics: readonly string[]): void {
    if (topics.length === 0) return;
    this.#client.subscribe([...topics], { qos: 1 }, (error) => {
      if (error && this.#client.connected) {
        this.#log.error({ reason: error.message, topics }, "the broker refuses what the locks need");
      }
    });
  }

  #connected(): void {
    if (this.#down) this.#log.warn("the broker of the locks is back");
    this.#down = false;
    this.#ask([...this.#topics]);
    this.onConnect();
  }

  #lost(error: Error | null): void {
    if (this.#down || this.#client.disconnecting) return;
    this.#down = true;
    this.#log.warn({ reason: error?.message }, "no connection to the broker of the locks; trying again");
  }

  #work(message: MqttMessage): void {
    this.#inWork += 1;
    void this.onMessage(message)
      .catch((error: unknown) => this.#log.error({ err: error }, "a message of a lock could not be handled"))
      .finally(() => {
        this.#inWork -= 1;
        const readOn = this.#readOn;
        this.#readOn = undefined;
        readOn?.();
      });
  }
}
