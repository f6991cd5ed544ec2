/** Limits of the messages that a broker retains for one account. */
export interface RetainedLimits {
  topics: number;
  /** topics and payloads together */
  bytes: number;
}

export interface RetainingSession {
  /** account for which retained messages are counted together, over all its connections */
  account: string;
  mostRetained: RetainedLimits;
}

interface Holder<S> {
  /** latest session of the account */
  session: S;
  topics: Map<string, number>;
  bytes: number;
  wasFull: boolean;
}

/**
 * Counts the messages that a broker retains, by the account that last published them. The broker stores the messages.
 */
export class RetainedTopics<S extends RetainingSession> {
  readonly #holders = new Map<string, Holder<S>>();
  readonly #holderOf = new Map<string, Holder<S>>();

  /** Counts a message to be retained; an empty one clears its topic. Returns whether the message may be retained. */
  add(session: S, topic: string, payloadBytes: number): "kept" | "full" | "full for the first time" {
    this.#remove(topic);
    if (payloadBytes === 0) return "kept";
    const holder = this.#holders.get(session.account) ?? { session, topics: new Map(), bytes: 0, wasFull: false };
    this.#holders.set(session.account, holder);
    holder.session = session;
    const bytes = Buffer.byteLength(topic) + payloadBytes;
    const { mostRetained } = session;
    if (holder.topics.size >= mostRetained.topics || holder.bytes + bytes > mostRetained.bytes) {
      const first = !holder.wasFull;
      holder.wasFull = true;
      return first ? "full for the first time" : "full";
    }
    holder.topics.set(topic, bytes);
    holder.bytes += bytes;
    this.#holderOf.set(topic, holder);
    return "kept";
  }

  /** Removes the accounts for which `gone` returns true, connected or not, and returns their topics. */
  forget(isOver: (session: S) => boolean): string[] {
    const topics: string[] = [];
    for (const [account, holder] of this.#holders) {
      if (!isOver(holder.session)) continue;
      this.#holders.delete(account);
      topics.push(...holder.topics.keys());
    }
    for (const topic of topics) this.#holderOf.delete(topic);
    return topics;
  }

  #remove(topic: string): void {
    const holder = this.#holderOf.get(topic);
    if (holder === undefined) return;
    holder.bytes -= holder.topics.get(topic) ?? 0;
    holder.topics.delete(topic);
    this.#holderOf.delete(topic);
  }
}
