import { connect, type IClientOptions, type MqttClient } from "mqtt";
import "./number-cache.ts";
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
  maxConcurrentMessages: number;
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
export async function connectMqtt({ url, user, password, maxConcurrentMessages, log }: MqttOptions): Promise<MqttLink> {
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
  const link = new MqttLink(client, maxConcurrentMessages, log);
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

/** A connection to a broker. After any break it reconnects and subscribes again. */
export class MqttLink {
  /** Called for every message, which counts as in progress until the promise settles. */
  onMessage: (message: MqttMessage) => Promise<void> = async () => {};
  /** Called after each connection that is established while this is set. */
  onConnect: () => void = () => {};
  readonly #client: MqttClient;
  readonly #log: Logger;
  readonly #topics = new Set<string>();
  #messagesInProgress = 0;
  /** continues reading the broker's next message, which waits while too many are being processed */
  #resumeReading: (() => void) | undefined;
  #isDown = false;

  constructor(client: MqttClient, maxConcurrentMessages: number, log: Logger) {
    this.#client = client;
    this.#log = log;
    client.handleMessage = ({ topic, payload, retain }, done) => {
      this.#handle({ topic, payload: Buffer.from(payload), retained: retain });
      if (this.#messagesInProgress < maxConcurrentMessages) done();
      else this.#resumeReading = done;
    };
    client.on("connect", () => this.#onConnected());
    client.on("close", () => this.#onLost(null));
    client.on("error", (error) => this.#onLost(error));
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
        reject(new Error("the broker did not accept the message in time"));
      };
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  subscribe(topics: readonly string[]): void {
    for (const topic of topics) this.#topics.add(topic);
    if (this.#client.connected) this.#requestSubscription(topics);
  }

  /** Requests the retained messages of topics once, whether or not they are subscribed to. */
  requestRetained(topics: readonly string[]): void {
    if (!this.#client.connected) return;
    this.#client.subscribe([...topics], { qos: 1 }, () => {
      const unsubscribed = topics.filter((topic) => !this.#topics.has(topic));
      if (this.#client.connected && unsubscribed.length > 0) this.#client.unsubscribe(unsubscribed);
    });
  }

  unsubscribe(topics: readonly string[]): void {
    for (const topic of topics) this.#topics.delete(topic);
    if (this.#client.connected && topics.length > 0) this.#client.unsubscribe([...topics]);
  }

  async close(): Promise<void> {
    await this.#client.endAsync(true);
  }

  #requestSubscription(topics: readonly string[]): void {
    if (topics.length === 0) return;
    this.#client.subscribe([...topics], { qos: 1 }, (error) => {
      if (error && this.#client.connected) {
        this.#log.error({ reason: error.message, topics }, "the broker refuses a subscription that the locks need");
      }
    });
  }

  #onConnected(): void {
    if (this.#isDown) this.#log.warn("the broker of the locks is back");
    this.#isDown = false;
    this.#requestSubscription([...this.#topics]);
    this.onConnect();
  }

  #onLost(error: Error | null): void {
    if (this.#isDown || this.#client.disconnecting) return;
    this.#isDown = true;
    this.#log.warn({ reason: error?.message }, "no connection to the broker of the locks; trying again");
  }

  #handle(message: MqttMessage): void {
    this.#messagesInProgress += 1;
    void this.onMessage(message)
      .catch((error: unknown) => this.#log.error({ err: error }, "a message of a lock could not be handled"))
      .finally(() => {
        this.#messagesInProgress -= 1;
        const resume = this.#resumeReading;
        this.#resumeReading = undefined;
        resume?.();
      });
  }
}
