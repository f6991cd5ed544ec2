import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../../adapters/events/relay.ts";

/** Receives the board's new version, or null when changes may have been missed and the client must reload. */
export type BoardListener = (version: string | null) => void;

/** Notification sent by the SQL function commit_unit. */
const boardNotice = z.object({ topic: z.literal("board"), hotelId: z.int(), version: z.int() });

/**
 * Milliseconds between notifications of one hotel. Of a burst of writes only the first and last are announced, so that
 * clients load a few boards a second, not hundreds.
 */
const QUIET_MS = 150;

interface Watch {
  listeners: Set<BoardListener>;
  quiet: NodeJS.Timeout | undefined;
  pending: string | null | undefined;
}

/** Notifies the clients of a hotel that its board changed, whichever process wrote the change. */
export class BoardFeed implements RelaySubscriber {
  readonly #hotels = new Map<number, Watch>();

  constructor(relay: Relay) {
    relay.subscribe(this);
  }

  /** Subscribes a listener and returns the function that unsubscribes it. */
  watch(hotelId: number, listener: BoardListener): () => void {
    const watch = this.#hotels.get(hotelId) ?? { listeners: new Set(), quiet: undefined, pending: undefined };
    this.#hotels.set(hotelId, watch);
    watch.listeners.add(listener);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size > 0 || this.#hotels.get(hotelId) !== watch) return;
      clearTimeout(watch.quiet);
      this.#hotels.delete(hotelId);
    };
  }

  onMessage(message: unknown): void {
    const notice = boardNotice.safeParse(message);
    const watch = notice.success && this.#hotels.get(notice.data.hotelId);
    if (watch) publishVersion(watch, String(notice.data.version));
  }

  onGap(): void {
    for (const watch of this.#hotels.values()) publishVersion(watch, null);
  }
}

function publishVersion(watch: Watch, version: string | null): void {
  if (watch.quiet) {
    watch.pending = version;
    return;
  }
  for (const listener of watch.listeners) listener(version);
  watch.quiet = setTimeout(() => {
    watch.quiet = undefined;
    const { pending } = watch;
    watch.pending = undefined;
    if (pending !== undefined) publishVersion(watch, pending);
  }, QUIET_MS).unref();
}
