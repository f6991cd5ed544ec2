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
