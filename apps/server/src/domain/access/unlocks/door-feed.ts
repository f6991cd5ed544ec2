import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../../adapters/events/relay.ts";
import type { Scope } from "../../../kernel/scope.ts";

/** Event for open screens: rooms with new records (null: some events may be missing, so reload), or changed alerts. */
export type DoorEvent = { event: "unlocks"; data: { roomIds: number[] | null } } | { event: "messages"; data: object };
export type DoorListener = (event: DoorEvent) => void;

const notice = z.discriminatedUnion("topic", [
  z.object({ topic: z.literal("unlocks"), hotelId: z.int(), roomIds: z.array(z.int()) }),
  z.object({ topic: z.literal("messages"), hotelId: z.int() }),
]);

/**
 * Minimum pause between events: the first record is published at once, those that follow shortly after are combined.
 */
const QUIET_MS = 250;

interface News {
  rooms: Set<number>;
  missed: boolean;
  messages: boolean;
}

interface Watch {
  listeners: Set<(news: News) => void>;
  quiet: NodeJS.Timeout | undefined;
  pending: News;
}

const nothing = (): News => ({ rooms: new Set(), missed: false, messages: false });

/** Publishes the new door records and alerts of a hotel to its open screens, whichever process wrote them. */
export class DoorFeed implements RelaySubscriber {
  readonly #hotels = new Map<number, Watch>();

  constructor(relay: Relay) {
    relay.subscribe(this);
  }

  /**
   * Subscribes to new records in one room or in all rooms that the caller sees, and to changed alerts. Returns the
   * function that unsubscribes. @throws no_permission, not_found
   */
  watch(scope: Scope, roomId: number | null, listener: DoorListener): () => void {
    if (!scope.can("messages.view")) scope.require("unlocks.view");
    if (roomId !== null) scope.requireRoom(roomId);
    const sees = (room: number): boolean => (roomId === null ? scope.seesRoom(room) : room === roomId);
    return this.#join(scope.hotelId, ({ rooms, missed, messages }) => {
      const roomIds = missed ? null : [...rooms].filter(sees);
      if (scope.can("unlocks.view") && roomIds?.length !== 0) listener({ event: "unlocks", data: { roomIds } });
      if (scope.can("messages.view") && (messages || missed)) listener({ event: "messages", data: {} });
    });
  }

  onMessage(message: unknown): void {
    const parsed = notice.safeParse(message);
    const watch = parsed.success && this.#hotels.get(parsed.data.hotelId);
    if (!watch) return;
    if (parsed.data.topic === "messages") watch.pending.messages = true;
    else for (const roomId of parsed.data.roomIds) watch.pending.rooms.add(roomId);
    publishNews(watch);
  }

  onGap(): void {
    for (const watch of this.#hotels.values()) {
      watch.pending.missed = true;
      publishNews(watch);
    }
  }

  #join(hotelId: number, listener: (news: News) => void): () => void {
    const watch = this.#hotels.get(hotelId) ?? { listeners: new Set(), quiet: undefined, pending: nothing() };
    this.#hotels.set(hotelId, watch);
    watch.listeners.add(listener);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size > 0 || this.#hotels.get(hotelId) !== watch) return;
      clearTimeout(watch.quiet);
      this.#hotels.delete(hotelId);
    };
  }
}

function publishNews(watch: Watch): void {
  if (watch.quiet) return;
  const { pending } = watch;
  if (pending.rooms.size === 0 && !pending.missed && !pending.messages) return;
  watch.pending = nothing();
  for (const listener of watch.listeners) listener(pending);
  watch.quiet = setTimeout(() => {
    watch.quiet = undefined;
    publishNews(watch);
  }, QUIET_MS).unref();
}
