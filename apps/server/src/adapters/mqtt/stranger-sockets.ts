import type { Socket } from "node:net";
import { networkOf } from "../process/network-of.ts";

export interface StrangerLimits {
  all: number;
  perNetwork: number;
}

/**
 * Limits connections that have not logged in or sent a request yet, in total and per network. A further one ends the
 * one that has waited longest. A genuine client logs in or sends its request within a moment and is not affected.
 */
export class StrangerSockets {
  readonly #limits: StrangerLimits;
  /** oldest first */
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
    if (neighbours.size >= this.#limits.perNetwork) this.#end(neighbours);
    if (this.#waiting.size >= this.#limits.all) this.#end(this.#waiting.keys());
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

  #end(oldestFirst: Iterable<Socket>): void {
    for (const oldest of oldestFirst) {
      this.remove(oldest);
      oldest.destroy();
      return;
    }
  }
}
