import type { Logger } from "../../adapters/telemetry/logger.ts";
import { isTooDeep } from "../../kernel/json-depth.ts";

const MAX_SENDERS = 10_000;

/** Counts messages that don't parse. Logs each sender once, never the content of the message. */
export class BadMessages {
  readonly #log: Logger;
  readonly #loggedSenders = new Set<string>();
  #count = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get count(): number {
    return this.#count;
  }

  drop(sender: string, part: string): void {
    this.#count += 1;
    if (this.#loggedSenders.has(sender) || this.#loggedSenders.size >= MAX_SENDERS) return;
    this.#loggedSenders.add(sender);
    this.#log.warn({ lock: sender, part }, "invalid message from a lock dropped");
  }
}

/** Parses a payload as JSON. Returns undefined if it isn't JSON or nests too deeply. */
export function jsonOf(payload: Buffer): unknown {
  const text = payload.toString("utf8");
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
