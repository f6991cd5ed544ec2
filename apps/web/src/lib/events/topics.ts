import type { AppRouter } from "@innkey/server/router";
import type { Topic } from "@innkey/shared/schemas/overview/events";
import { matchQuery, type Query, type QueryKey } from "@tanstack/react-query";
import type { TRPCLink } from "@trpc/client";
import { onConnectionRestored } from "../loading/connection.ts";
import { queryClient } from "../query-client.ts";
import { failureOf } from "../rest.ts";

type Procedures = AppRouter["_def"]["record"];
type Router = keyof Procedures & string;
type NamesOf<R extends Router> = keyof Procedures[R] & string;
type Path = { [R in Router]: R | `${R}.${NamesOf<R>}` }[Router];
type MutationNames<R extends Router> = {
  [Name in NamesOf<R>]: Procedures[R][Name] extends { _def: { type: "mutation" } } ? Name : never;
}[NamesOf<R>];
type MutationRouter = { [R in Router]: MutationNames<R> extends never ? never : R }[Router];
type MutationPath = { [R in Router]: `${R}.${MutationNames<R>}` }[Router];

/** What can change: the server's topics and events, and the operator's own account. */
export type Subject = Topic | "board" | "roomPages" | "unlocks" | "alerts" | "account";

/**
 * Queries that show a subject: paths of the router, or keys of other queries. Door records aren't listed;
 * `useUnlockEvents` refreshes them.
 */
const ROOM_PAGES = ["rooms.detail", "timeline.read", "home", "availability"] as const;
const QUERIES: Record<Subject, readonly (Path | QueryKey)[]> = {
  board: [["board"], ...ROOM_PAGES],
  /** Pages beside the board that show the state of rooms, after an event that already changed the board */
  roomPages: ROOM_PAGES,
  unlocks: ["unlocks.traffic", "unlocks.whoEntered", "home"],
  alerts: ["alerts", "home"],
  rooms: ["rooms", "groups", "home.firstSteps"],
  // Without quotes: if a price changes during a booking, the clerk is asked (stay-questions).
  prices: ["rooms", "priceTemplates", "availability", "home.firstSteps"],
  stays: [
    "board.marks",
    "keys",
    "stays.detail",
    "stays.byGuest",
    "stays.history",
    "guests",
    "customers",
    "rooms.detail",
    "timeline.read",
    "home",
    "availability",
    "home.firstSteps",
    "breakfast",
    "nightAudit",
    "reports",
    "unlocks.whoEntered",
    "guestLinks.state",
  ],
  breakfast: ["breakfast", "nightAudit", "stays.detail", "stays.byGuest"],
  handOver: ["handOver"],
  guestMessages: ["guestMessages"],
  guestLinks: ["guestLinks", "preCheckIns", "home.today"],
  guests: [
    "guests",
    "guestLinks",
    "home.today",
    "keys",
    "stays.detail",
    "stays.byGuest",
    "stays.history",
    "breakfast",
    "timeline.read",
    "privacy",
    "search",
  ],
  customers: ["customers", "stays.detail", "stays.byGuest", "stays.history", "cardReaders", "folio", "search"],
  money: [
    "board.marks",
    "folio",
    "balance",
    "nightAudit",
    "reports",
    "stays.detail",
    "stays.byGuest",
    "stays.history",
    "customers",
    "home",
  ],
  keys: [
    "board.marks",
    "home.today",
    "keys",
    "cards",
    "passcodes",
    "faces",
    "locks",
    "customers.detail",
    "rooms.detail",
  ],
  readers: ["cardReaders", "customers.detail", "home.firstSteps"],
  locks: ["board.marks", "locks", "doors", "zones", "keys", "cards", "passcodes", "faces", "hotel.notices", "home"],
  staff: ["staff", "cardReaders", "home.firstSteps"],
  // Every page shows times in the hotel's time zone or amounts in its currency, so everything is refetched.
  settings: [[]],
  integrations: ["integrations", "calendarFeeds"],
  exports: ["exports", "rosters"],
  outbox: ["outbox"],
  audit: ["audit"],
  account: [["session"], "auth", "twoStep", "staff"],
};

/** What the mutations of each router change, except those in `CHANGED_BY_MUTATION`. */
const CHANGED_BY_ROUTER: Record<MutationRouter, readonly Subject[]> = {
  afterOutage: ["board", "stays", "guests", "customers", "money", "keys", "breakfast"],
  alerts: ["alerts"],
  auth: [],
  breakfast: ["breakfast"],
  calendarFeeds: ["integrations"],
  cardReaders: ["readers"],
  cards: ["keys", "locks"],
  customers: ["customers"],
  doors: ["locks", "keys", "alerts"],
  exports: ["exports"],
  faces: ["keys", "locks"],
  groups: ["board", "rooms"],
  guestLinks: ["guestLinks"],
  guestMessages: ["guestMessages", "guestLinks"],
  guests: ["board", "guests", "stays"],
  handOver: ["handOver"],
  hotel: ["settings"],
  imports: [],
  integrations: ["integrations"],
  locks: ["board", "rooms", "locks", "keys", "alerts"],
  nightAudit: ["money"],
  balance: ["money"],
  folio: ["board", "money"],
  passcodes: ["keys", "locks"],
  preCheckIns: ["guestLinks", "board", "guests", "stays"],
  priceTemplates: ["board", "prices"],
  privacy: [],
  rooms: ["board", "rooms", "prices", "locks"],
  rosters: ["exports"],
  setup: [],
  staff: ["staff", "keys", "readers"],
  stays: ["board", "stays", "guests", "customers", "money", "keys", "breakfast"],
  twoStep: [],
  zones: ["locks", "keys", "alerts", "board"],
};
const CHANGED_BY_MUTATION: Partial<Record<MutationPath, readonly Subject[]>> = {
  "afterOutage.check": [],
  "auth.saveProfile": ["account"],
  "doors.open": ["locks"],
  "hotel.sendNotice": ["locks", "board"],
  "imports.run": ["board", "rooms", "prices", "stays", "guests", "customers", "money"],
  "locks.open": ["locks"],
  "passcodes.handOver": ["outbox"],
  "passcodes.reveal": [],
  "privacy.erase": ["board", "guests", "stays", "customers", "keys"],
  "privacy.setRetention": ["settings"],
  "rooms.restoreStatus": ["board", "rooms"],
  "rooms.setStatus": ["board", "rooms"],
};

/** How long changes are gathered, so that an answer, its own event and all events of one commit cause one read. */
const GATHER_MS = 50;

/** Minimum pause between two reads caused by events, so that the pages of a busy hotel don't read all the time. */
const MIN_PAUSE_MS = 500;

/** How long the read after an outage waits for the stream to open, because then everything has to be read anyway. */
const MAX_WAIT_FOR_STREAM_MS = 2000;

let pending: Set<Subject> | "everything" = new Set();
let timer: ReturnType<typeof setTimeout> | undefined;
let scheduledMs = Number.POSITIVE_INFINITY;
let runningReads = 0;
let lastReadMs = Number.NEGATIVE_INFINITY;

function addPending(subjects: readonly Subject[] | null): void {
  if (subjects === null) pending = "everything";
  else if (pending !== "everything") for (const subject of subjects) pending.add(subject);
}

/** Schedules the next read. Of two times the earlier counts. All times are of `performance.now()`. */
function readAt(timeMs: number): void {
  if (timeMs >= scheduledMs) return;
  clearTimeout(timer);
  scheduledMs = timeMs;
  timer = setTimeout(() => void readPending(), timeMs - performance.now());
}

async function readPending(): Promise<void> {
  const subjects = pending;
  pending = new Set();
  scheduledMs = Number.POSITIVE_INFINITY;
  runningReads += 1;
  await (subjects === "everything" ? refetchEverything() : refetch(subjects));
  runningReads -= 1;
  lastReadMs = performance.now();
  if (hasPending()) readAfterPause();
}

function hasPending(): boolean {
  return pending === "everything" || pending.size > 0;
}

/** A read would cancel a running one and so, in a busy hotel, never end. The end of the running read schedules it. */
function readAfterPause(): void {
  if (runningReads === 0) readAt(Math.max(performance.now() + GATHER_MS, lastReadMs + MIN_PAUSE_MS));
}

const keyOf = (query: Path | QueryKey): QueryKey => (typeof query === "string" ? [query.split(".")] : query);

/**
 * Ids aren't given out again, so what doesn't exist won't, and reading it again would replace its page for a moment.
 */
const isMissing = ({ state }: Query): boolean => state.error !== null && failureOf(state.error).code === "not_found";

async function refetch(subjects: ReadonlySet<Subject>): Promise<void> {
  const keys = [...new Set([...subjects].flatMap((subject) => QUERIES[subject]))].map(keyOf);
  await queryClient.invalidateQueries({
    predicate: (query) => !isMissing(query) && keys.some((queryKey) => matchQuery({ queryKey }, query)),
  });
}

/** Refetches everything but the session after a gap in the events. If the session has ended, the answers say so. */
async function refetchEverything(): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
}

/** Refetches what this tab has changed. Other tabs follow the stream. */
export function readChanged(subjects: readonly Subject[]): void {
  addPending(subjects);
  readAt(performance.now() + GATHER_MS);
}

/** Refetches what a mutation of this tab has changed. */
export function readAfterWrite(path: string): void {
  const [router = ""] = path.split(".");
  const subjects = CHANGED_BY_MUTATION[path as MutationPath] ?? CHANGED_BY_ROUTER[router as MutationRouter] ?? [];
  if (subjects.length > 0) readChanged([...subjects, "audit"]);
}

/** Refusals that come before anything was read or written, so that nothing on the page can have changed. */
const UNCHANGED_AFTER: ReadonlySet<string> = new Set(["invalid_input", "no_permission"]);

/**
 * Refetches what a mutation has changed. It also refetches after most refusals, because they often mean that another
 * desk was faster.
 */
export const readingAfterWrites: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (op.type !== "mutation") return next(op);
    const answer = next(op);
    return {
      ...answer,
      subscribe: (caller) =>
        answer.subscribe({
          ...caller,
          next: (value) => {
            readAfterWrite(op.path);
            caller?.next?.(value);
          },
          error: (error) => {
            if (!UNCHANGED_AFTER.has(failureOf(error).code)) readAfterWrite(op.path);
            caller?.error?.(error);
          },
        }),
    };
  };

/** Refetches what other desks, doors and jobs have changed; null means everything. */
export function readSoon(subjects: readonly Subject[] | null): void {
  addPending(subjects);
  readAfterPause();
}

/** Refetches the board alone, whose answer is small if nothing changed. */
export function readBoard(): void {
  void queryClient.invalidateQueries({ queryKey: ["board"] });
}

onConnectionRestored(() => {
  addPending(null);
  readAt(performance.now() + MAX_WAIT_FOR_STREAM_MS);
});

/** Refetch interval for what changes by time alone: expired keys, "last seen 3 minutes ago". */
export const BY_TIME_MILLISECONDS = 60_000;
