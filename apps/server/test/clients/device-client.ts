import { connect, type IClientOptions, type MqttClient } from "mqtt";

export interface ReceivedMessage {
  topic: string;
  text: string;
  retained: boolean;
}

/** A lock or a link at a test's broker. */
export class DeviceClient {
  readonly mqtt: MqttClient;
  readonly closed: Promise<void>;
  readonly #received: ReceivedMessage[] = [];
  readonly #waiting: { wants: (message: ReceivedMessage) => boolean; found: (message: ReceivedMessage) => void }[] = [];

  /** @throws Error with the broker's reason if it refuses the connection */
  static async connect(url: string, options: IClientOptions): Promise<DeviceClient> {
    const client = connect(url, { reconnectPeriod: 0, connectTimeout: 5_000, ...options });
    const device = new DeviceClient(client);
    await new Promise<void>((resolve, reject) => {
      client.once("connect", () => resolve());
      client.once("error", reject);
      client.once("close", () => reject(new Error("closed")));
    });
    return device;
  }

  private constructor(client: MqttClient) {
    this.mqtt = client;
    this.closed = new Promise((resolve) => client.once("close", () => resolve()));
    client.on("error", () => {});
    client.on("message", (topic, payload, { retain }) => {
      const message = { topic, text: payload.toString("utf8"), retained: retain };
      const index = this.#waiting.findIndex(({ wants }) => wants(message));
      const [waiter] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (waiter) waiter.found(message);
      else this.#received.push(message);
    });
  }

  /** Returns the granted QoS; 128 is a refusal. */
  async subscribe(topic: string): Promise<number> {
    return new Promise((resolve) => {
      this.mqtt.subscribe(topic, { qos: 1 }, (error, granted) => resolve(error ? 128 : (granted?.[0]?.qos ?? 128)));
    });
  }

  async publish(topic: string, message: object | string, retain = false): Promise<void> {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    await this.mqtt.publishAsync(topic, text, { qos: 1, retain });
  }

  /** Waits for a message that matches and removes it; takes the oldest one first. */
  next(what: string, isExpected: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage> {
    const index = this.#received.findIndex(isExpected);
    const [early] = index < 0 ? [] : this.#received.splice(index, 1);
    if (early) return Promise.resolve(early);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), 10_000);
      this.#waiting.push({
        wants: isExpected,
        found(message) {
          clearTimeout(timer);
          resolve(message);
        },
      });
    });
  }

  on(topic: string): Promise<ReceivedMessage> {
    return this.next(topic, (message) => message.topic === topic);
  }

  /** Received messages that no test has taken. */
  get rest(): readonly ReceivedMessage[] {
    return this.#received;
  }

  async end(): Promise<void> {
    await this.mqtt.endAsync(true);
  }
}
