import type { Socket } from "node:net";
import { networkOf } from "../process/network-of.ts";

/**
 * Follows the packets in a stream of MQTT bytes by their headers alone, to detect one that is too long before it fills
 * memory (source: MQTT 3.1.1, section 2.2.3: remaining length in up to four bytes, 7 bits each).
 */
export class PacketMeter {
  #maxBytes: number;
  /** remaining bytes of the current body; null within a header */
  #remainingBytes: number | null = null;
  #lengthBytes = -1;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  set maxBytes(bytes: number) {
    this.#maxBytes = bytes;
  }

  /** Returns false once a packet in the stream is longer than allowed, or has an invalid header. */
  accepts(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#remainingBytes === null) {
        if (!this.#readHeaderByte(chunk[at] ?? 0)) return false;
        at += 1;
      } else {
        const count = Math.min(this.#remainingBytes, chunk.length - at);
        this.#remainingBytes -= count;
        at += count;
      }
      if (this.#remainingBytes === 0) this.#remainingBytes = null;
    }
    return true;
  }

  #readHeaderByte(byte: number): boolean {
    if (this.#lengthBytes < 0) {
      this.#lengthBytes = 0;
      this.#length = 0;
      return true;
    }
    this.#length += (byte & 0x7f) * 2 ** (7 * this.#lengthBytes);
    this.#lengthBytes += 1;
    if (this.#length > this.#maxBytes) return false;
    if ((byte & 0x80) !== 0) return this.#lengthBytes < 4;
    this.#remainingBytes = this.#length;
    this.#lengthBytes = -1;
    return true;
  }
}

/** Limits of the messages that a broker retains for one account. */
export interface RetainedLimits {
  topics: number;
  /** topics and payloads together */
  bytes: number;
}

export interface RetainingSession {
  /** account for which retained messages are counted together, over all its connections */
  account: string;
  maxRetained: RetainedLimits;
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
  add(session: S, topic: string, payloadBytes: number): "retained" | "full" | "full for the first time" {
    this.#remove(topic);
    if (payloadBytes === 0) return "retained";
    const holder = this.#holders.get(session.account) ?? { session, topics: new Map(), bytes: 0, wasFull: false };
    this.#holders.set(session.account, holder);
    holder.session = session;
    const bytes = Buffer.byteLength(topic) + payloadBytes;
    const { maxRetained } = session;
    if (holder.topics.size >= maxRetained.topics || holder.bytes + bytes > maxRetained.bytes) {
      const isFirstTime = !holder.wasFull;
      holder.wasFull = true;
      return isFirstTime ? "full for the first time" : "full";
    }
    holder.topics.set(topic, bytes);
    holder.bytes += bytes;
    this.#holderOf.set(topic, holder);
    return "retained";
  }

  /** Removes the accounts for which `isOver` returns true, connected or not, and returns their topics. */
  removeAccounts(isOver: (session: S) => boolean): string[] {
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

export interface StrangerLimits {
  all: number;
  perNetwork: number;
}

/**
 * Limits connections that have not logged in or sent a request yet, in total and per network. At the limit, a new
 * connection ends the oldest one. A genuine client logs in or sends its request within a moment and is not affected.
 */
export class StrangerSockets {
  readonly #limits: StrangerLimits;
  /** network of each connection, oldest first */
  readonly #waiting = new Map<Socket, string>();
  readonly #perNetwork = new Map<string, Set<Socket>>();
  readonly #watched = new WeakSet<Socket>();

  constructor(limits: StrangerLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#waiting.size;
  }

  has(socket: Socket): boolean {
    return this.#waiting.has(socket);
  }

  add(socket: Socket): void {
    this.remove(socket);
    const network = networkOf(socket.remoteAddress ?? "");
    const neighbours = this.#perNetwork.get(network) ?? new Set();
    this.#perNetwork.set(network, neighbours);
    if (neighbours.size >= this.#limits.perNetwork) this.#endOldest(neighbours);
    if (this.#waiting.size >= this.#limits.all) this.#endOldest(this.#waiting.keys());
    this.#waiting.set(socket, network);
    neighbours.add(socket);
    if (this.#watched.has(socket)) return;
    this.#watched.add(socket);
    socket.once("close", () => this.remove(socket));
  }

  /** Call it when the connection has logged in, sent a request, or closed. */
  remove(socket: Socket): void {
    const network = this.#waiting.get(socket);
    if (network === undefined) return;
    this.#waiting.delete(socket);
    const neighbours = this.#perNetwork.get(network);
    neighbours?.delete(socket);
    if (neighbours?.size === 0) this.#perNetwork.delete(network);
  }

  #endOldest(oldestFirst: Iterable<Socket>): void {
    for (const oldest of oldestFirst) {
      this.remove(oldest);
      oldest.destroy();
      return;
    }
  }
}

const FAILURES_WITHOUT_DELAY = 5;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
const RESET_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * Delays the answer to a wrong password, per address: longer with each failure within a minute. A correct password is
 * never delayed, so someone guessing from behind the hotel's own router does not lock out the staff.
 */
export class FailedLogins {
  readonly #failures = new Map<string, { count: number; lastAt: number }>();

  /** Counts a failure of `address` and returns the delay of its answer in milliseconds. */
  delayMs(address: string, now: number): number {
    const before = this.#failures.get(address);
    const count = before && now - before.lastAt < RESET_MS ? before.count + 1 : 1;
    this.#failures.delete(address);
    this.#failures.set(address, { count, lastAt: now });
    if (this.#failures.size > MAX_ADDRESSES) {
      const [oldest] = this.#failures.keys();
      if (oldest !== undefined) this.#failures.delete(oldest);
    }
    if (count <= FAILURES_WITHOUT_DELAY) return 0;
    return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FAILURES_WITHOUT_DELAY - 1));
  }
}
