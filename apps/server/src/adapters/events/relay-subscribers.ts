import type { RelayLog, RelaySubscriber } from "./relay.ts";

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
