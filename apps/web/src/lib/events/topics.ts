import type { AppRouter } from "@innkey/server/router";
import type { Topic } from "@innkey/shared/schemas/overview/events";
import { matchQuery, type QueryKey } from "@tanstack/react-query";
import { oneAtATime } from "../loading/once.ts";
import { queryClient } from "../query-client.ts";

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
export type Subject = Topic | "board" | "unlocks" | "alerts" | "account";

/** Queries that show a subject: paths of the router, or keys of other queries. Records of doors follow by themselves. */
const QUERIES: Record<Subject, readonly (Path | QueryKey)[]> = {
  board: [["board"], "rooms.detail", "timeline.read", "home.overview"],
  unlocks: ["unlocks.traffic", "unlocks.whoEntered", "home.overview"],
  alerts: ["alerts", "home.overview"],
  rooms: ["rooms", "groups"],
  // Not the quotes: a price that changes under a clerk's hand is asked about, and not just shown.
  prices: ["rooms", "priceTemplates"],
  stays: [
    "stays.detail",
    "stays.byGuest",
    "stays.history",
    "guests",
    "customers",
    "rooms.detail",
    "timeline.read",
    "home.overview",
    "breakfast",
    "nightAudit",
    "unlocks.whoEntered",
  ],
  breakfast: ["breakfast", "nightAudit", "stays.detail", "stays.byGuest"],
  guests: [
    "guests",
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
    "folio",
    "balance",
    "nightAudit",
    "stays.detail",
    "stays.byGuest",
    "stays.history",
    "customers",
    "home.overview",
  ],
  keys: ["cards", "passcodes", "faces", "locks", "customers.detail", "rooms.detail"],
  readers: ["cardReaders", "customers.detail"],
  locks: ["locks", "cards", "passcodes", "faces", "hotel.notices", "home.overview"],
  staff: ["staff", "cardReaders"],
  // The hotel's day, hours and currency stand on every page.
  settings: [[]],
  integrations: ["integrations"],
  exports: ["exports"],
  outbox: ["outbox"],
  audit: ["audit"],
  account: [["session"], "auth", "twoStep", "staff"],
};

/** What the writes of each router change. Those of `SPECIAL` change something else than the rest of their router. */
const CHANGED_BY: Record<MutationRouter, readonly Subject[]> = {
  alerts: ["alerts"],
  auth: [],
  breakfast: ["breakfast"],
  cardReaders: ["readers"],
  cards: ["keys", "locks"],
  customers: ["customers"],
  exports: ["exports"],
  faces: ["keys", "locks"],
  groups: ["board", "rooms"],
  guests: ["board", "guests", "stays"],
  hotel: ["settings"],
  imports: [],
  integrations: ["integrations"],
  locks: ["board", "rooms", "locks", "keys", "alerts"],
  nightAudit: ["money"],
  balance: ["money"],
  folio: ["board", "money"],
  passcodes: ["keys", "locks"],
  priceTemplates: ["board", "prices"],
  privacy: [],
  rooms: ["board", "rooms", "prices", "locks"],
  setup: [],
  staff: ["staff", "keys", "readers"],
  stays: ["board", "stays", "guests", "customers", "money", "keys", "breakfast"],
  twoStep: [],
};
const SPECIAL: Partial<Record<MutationPath, readonly Subject[]>> = {
  "auth.saveProfile": ["account"],
  "hotel.sendNotice": ["locks", "board"],
  "imports.run": ["board", "rooms", "prices", "stays", "guests", "customers", "money"],
  "locks.open": ["locks"],
  "passcodes.reveal": [],
  "privacy.erase": ["board", "guests", "stays", "customers", "keys"],
  "privacy.setRetention": ["settings"],
  "rooms.setStatus": ["board", "rooms"],
};

const keyOf = (query: Path | QueryKey): QueryKey => (typeof query === "string" ? [query.split(".")] : query);

/** Reads again what is shown of these subjects. */
export async function readAgain(subjects: Iterable<Subject>): Promise<void> {
  const keys = [...new Set([...subjects].flatMap((subject) => QUERIES[subject]))].map(keyOf);
  if (keys.length === 0) return;
  await queryClient.invalidateQueries({
    predicate: (query) => keys.some((queryKey) => matchQuery({ queryKey }, query)),
  });
}

/** Reads again what a write of this tab changed. Other tabs follow the stream. */
export function readAfterWrite(path: string): void {
  const [router = ""] = path.split(".");
  const subjects = SPECIAL[path as MutationPath] ?? CHANGED_BY[router as MutationRouter] ?? [];
  if (subjects.length > 0) void readAgain([...subjects, "audit"]);
}

/** Reads everything again that may have changed while no event came. Who is logged in, the answers will tell. */
function readEverything(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
}

/** Pause after a read caused by events, so that a busy hotel's pages don't read all the time. */
const PAUSE_MILLISECONDS = 500;

let waiting: Set<Subject> | "everything" = new Set();

const readWaiting = oneAtATime(async () => {
  const subjects = waiting;
  waiting = new Set();
  await (subjects === "everything" ? readEverything() : readAgain(subjects));
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
});

/** Reads again what other desks changed, all announced changes together; null: everything. */
export function readSoon(subjects: readonly Subject[] | null): void {
  if (subjects === null) waiting = "everything";
  else if (waiting !== "everything") for (const subject of subjects) waiting.add(subject);
  readWaiting();
}

/** Refresh interval of what also changes by time alone: keys run out, and a lock was last heard of a while ago. */
export const BY_TIME_MILLISECONDS = 60_000;
