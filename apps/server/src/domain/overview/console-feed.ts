import type { Capability } from "@innkey/shared/capabilities";
import { type ConsoleEvent, TOPICS, type Topic, topic } from "@innkey/shared/schemas/overview/events";
import type { BoardDifference } from "@innkey/shared/schemas/property/rooms";
import { z } from "zod";
import type { Relay, RelaySubscriber } from "../../adapters/events/relay.ts";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import { counter } from "../../adapters/telemetry/metrics.ts";
import { permissionsKey, type Scope } from "../../kernel/scope.ts";
import type { BoardReader } from "./board.queries.ts";

const failedReads = counter({
  name: "board_changes_failed_total",
  help: "Changes of boards that could not be read, so that the consoles read the whole board",
});

type ConsoleListener = (events: ConsoleEvent[]) => void;

/**
 * Permissions whose reads show a topic; any of them suffices. A topic names no room and no person, so staff with
 * granted rooms learn only that something changed.
 */
const READERS: Readonly<Record<Topic, readonly Capability[]>> = {
  rooms: ["rooms.view"],
  prices: ["rooms.view", "prices.manage"],
  stays: ["stays.view", "rooms.view", "breakfast.manage", "reports.view"],
  breakfast: ["breakfast.manage", "stays.view", "reports.view"],
  handOver: ["rooms.view"],
  guestLinks: ["stays.view"],
  guestMessages: ["stays.view"],
  guests: ["stays.view", "rooms.view", "breakfast.manage"],
  customers: ["customers.view", "stays.view"],
  money: ["folio.view", "balance.view", "reports.view", "stays.view"],
  keys: ["cards.view", "passcodes.view", "faces.view", "locks.view", "encryption.manage"],
  readers: ["cardReaders.view"],
  locks: ["locks.view"],
  staff: ["staff.view"],
  settings: ["hotel.view"],
  integrations: ["integrations.manage"],
  exports: ["exports.make"],
  outbox: ["outbox.view"],
  audit: ["audit.view"],
};

/** Notifications that writes send at commit (prisma/migrations, domain/access, domain/messaging). */
const notification = z.discriminatedUnion("topic", [
  z.object({ topic: z.literal("board"), hotelId: z.int(), version: z.int() }),
  z.object({ topic: z.literal("unlocks"), hotelId: z.int(), roomIds: z.array(z.int()) }),
  z.object({ topic: z.literal("alerts"), hotelId: z.int() }),
  z.object({ topic: z.literal("change"), hotelId: z.int(), about: topic }),
]);

/** The notifications of one commit arrive within this time, and are sent together. */
const GATHER_MS = 20;

/** Minimum pause between events of one hotel, so that a burst of writes becomes a few events. */
const MIN_PAUSE_MS = 250;

interface Changes {
  /** Versions of the board before the first change and after the last */
  board: { since: number; version: number } | undefined;
  rooms: Set<number>;
  topics: Set<Topic>;
  alerts: boolean;
  missed: boolean;
}

/** Returns what changed on the board for a caller; null if a caller has to read the whole board. */
type DifferenceFor = ((scope: Scope) => BoardDifference) | null;

interface Listener {
  scope: Scope;
  publish: (changes: Changes, differenceFor: DifferenceFor) => void;
}

interface Watch {
  listeners: Set<Listener>;
  timer: NodeJS.Timeout | undefined;
  publishedMs: number;
  pending: Changes;
}

const noChanges = (): Changes => ({
  board: undefined,
  rooms: new Set(),
  topics: new Set(),
  alerts: false,
  missed: false,
});

/**
 * Sends the open consoles of a hotel what changed on the board and the topics that changed, whichever process wrote
 * them.
 */
export class ConsoleFeed implements RelaySubscriber {
  readonly #hotels = new Map<number, Watch>();
  readonly #board: Pick<BoardReader, "changesSince">;
  readonly #log: Pick<Logger, "warn">;

  constructor(relay: Pick<Relay, "subscribe">, board: Pick<BoardReader, "changesSince">, log: Pick<Logger, "warn">) {
    this.#board = board;
    this.#log = log;
    relay.subscribe(this);
  }

  /** Subscribes to what the caller's permissions and rooms show, and returns the function that unsubscribes. */
  watch(scope: Scope, listener: ConsoleListener): () => void {
    const watch = this.#hotels.get(scope.hotelId) ?? {
      listeners: new Set(),
      timer: undefined,
      publishedMs: 0,
      pending: noChanges(),
    };
    this.#hotels.set(scope.hotelId, watch);
    const entry: Listener = {
      scope,
      publish: (changes, differenceFor) => {
        const events = eventsFor(scope, changes, differenceFor);
        if (events.length > 0) listener(events);
      },
    };
    watch.listeners.add(entry);
    return () => {
      watch.listeners.delete(entry);
      if (watch.listeners.size > 0 || this.#hotels.get(scope.hotelId) !== watch) return;
      clearTimeout(watch.timer);
      this.#hotels.delete(scope.hotelId);
    };
  }

  /** Returns the event that a new stream begins with, so that a desk that reconnects knows the state of its board. */
  firstEvent(scope: Scope, boardVersion: string | null): ConsoleEvent | null {
    return scope.can("rooms.view") ? { event: "board", data: { version: boardVersion, difference: null } } : null;
  }

  onMessage(message: unknown): void {
    const parsed = notification.safeParse(message);
    const watch = parsed.success && this.#hotels.get(parsed.data.hotelId);
    if (!watch) return;
    addChange(watch.pending, parsed.data);
    this.#publishSoon(watch);
  }

  onGap(): void {
    for (const watch of this.#hotels.values()) {
      watch.pending.missed = true;
      this.#publishSoon(watch);
    }
  }

  #publishSoon(watch: Watch): void {
    watch.timer ??= setTimeout(
      () => void this.#publish(watch),
      Math.max(GATHER_MS, watch.publishedMs + MIN_PAUSE_MS - performance.now()),
    ).unref();
  }

  /** Changes that come while this reads the database are published next, so that events keep their order. */
  async #publish(watch: Watch): Promise<void> {
    const { pending } = watch;
    watch.publishedMs = performance.now();
    watch.pending = noChanges();
    const differenceFor = pending.missed || !pending.board ? null : await this.#readDifference(watch, pending.board);
    watch.timer = undefined;
    for (const { publish } of watch.listeners) publish(pending, differenceFor);
    if (hasChanges(watch.pending)) this.#publishSoon(watch);
  }

  /**
   * If the database fails, this is logged and counted, and the desks learn that they must read the board themselves.
   */
  async #readDifference(watch: Watch, board: { since: number; version: number }): Promise<DifferenceFor> {
    const viewer = [...watch.listeners].find(({ scope }) => scope.can("rooms.view"));
    if (!viewer) return null;
    try {
      return await this.#board.changesSince(viewer.scope, String(board.since), String(board.version));
    } catch (error) {
      failedReads.inc();
      this.#log.warn({ err: error, hotelId: viewer.scope.hotelId }, "what changed on the board can't be read");
      return null;
    }
  }
}

function addChange(changes: Changes, change: z.infer<typeof notification>): void {
  if (change.topic === "board") {
    const { version } = change;
    const { since = version - 1, version: last = version } = changes.board ?? {};
    changes.board = { since: Math.min(since, version - 1), version: Math.max(last, version) };
  } else if (change.topic === "alerts") changes.alerts = true;
  else if (change.topic === "change") changes.topics.add(change.about);
  else for (const roomId of change.roomIds) changes.rooms.add(roomId);
}

function hasChanges({ board, rooms, topics, alerts, missed }: Changes): boolean {
  return board !== undefined || rooms.size > 0 || topics.size > 0 || alerts || missed;
}

function eventsFor(
  scope: Scope,
  { board, rooms, topics, alerts, missed }: Changes,
  differenceFor: DifferenceFor,
): ConsoleEvent[] {
  const events: ConsoleEvent[] = [];
  if (scope.can("rooms.view") && (missed || board !== undefined)) {
    const difference = differenceFor?.(scope) ?? null;
    events.push({
      event: "board",
      data: { version: missed || !board ? null : (difference?.version ?? String(board.version)), difference },
    });
  }
  const roomIds = missed ? null : [...rooms].filter((room) => scope.seesRoom(room));
  if (scope.can("unlocks.view") && roomIds?.length !== 0) events.push({ event: "unlocks", data: { roomIds } });
  if (scope.can("alerts.view") && (missed || alerts)) events.push({ event: "alerts", data: {} });
  const shown = missed ? null : TOPICS.filter((about) => topics.has(about) && seesTopic(scope, about));
  if (shown?.length !== 0) events.push({ event: "changes", data: { topics: shown } });
  return events;
}

function seesTopic(scope: Scope, about: Topic): boolean {
  if (about === "integrations" && !scope.actor.apiKeyAuth) return false;
  return READERS[about].some((capability) => scope.can(capability));
}

/**
 * Adds an event to those that wait: one of each kind, so that a slow reader gets the newest state and nothing twice.
 */
export function queueEvent(waiting: ConsoleEvent[], event: ConsoleEvent): ConsoleEvent[] {
  const earlier = waiting.find((other) => other.event === event.event);
  return [...waiting.filter((other) => other !== earlier), earlier ? mergeEvents(earlier, event) : event];
}

/** Checks whether both scopes see the same events. */
export const seesSameEvents = (one: Scope, other: Scope): boolean => permissionsKey(one) === permissionsKey(other);

/** Merges two events of one kind; one that replaces the earlier state is returned as it is. */
function mergeEvents(earlier: ConsoleEvent, later: ConsoleEvent): ConsoleEvent {
  if (earlier.event === "unlocks" && later.event === "unlocks") {
    return { event: "unlocks", data: { roomIds: union(earlier.data.roomIds, later.data.roomIds) } };
  }
  if (earlier.event === "board" && later.event === "board") {
    const difference = joinDifferences(earlier.data.difference, later.data.difference);
    return { event: "board", data: { ...later.data, difference } };
  }
  if (earlier.event === "changes" && later.event === "changes") {
    return { event: "changes", data: { topics: union(earlier.data.topics, later.data.topics) } };
  }
  return later;
}

/** Null means all. */
const union = <T>(earlier: T[] | null, later: T[] | null): T[] | null =>
  earlier && later && [...new Set([...earlier, ...later])];

/**
 * Returns one difference in place of two in a row; null if one of them is unknown or something lies between them: a
 * version, or a time at which rooms changed without a write.
 */
function joinDifferences(earlier: BoardDifference | null, later: BoardDifference | null): BoardDifference | null {
  if (!earlier || !later || Number(later.since) > Number(earlier.version)) return null;
  if (later.changesAt > earlier.changesAt) return null;
  const rooms = new Map([...earlier.rooms, ...later.rooms].map((room) => [room.id, room]));
  return { ...later, since: earlier.since, rooms: [...rooms.values()] };
}
