import type { RelayLog, RelaySubscriber } from "./relay.ts";

/** Who in this process wants to hear. */
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

  /** A payload as NOTIFY carried it. */
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
