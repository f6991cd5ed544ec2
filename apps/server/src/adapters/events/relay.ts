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
  tell(payload: string | undefined): void {
    let message: unknown;
    try {
      message = JSON.parse(payload ?? "");
    } catch (error) {
      this.#log.warn({ err: error, payload }, "a change that can't be read");
      return;
    }
    for (const subscriber of this.#all) subscriber.onMessage(message);
  }

  gap(): void {
    for (const subscriber of this.#all) subscriber.onGap();
  }
}
