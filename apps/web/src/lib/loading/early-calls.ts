/**
 * Reads that the page's first script sends while the console's code is still loading. The code takes up the answers in
 * place of requests of its own.
 */

/** Returns the address of a query. An input has its fields in the order in which the page gives them. */
export const queryUrl = (procedure: string, input?: unknown): string =>
  `/api/trpc/${procedure}${input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`}`;

export const SESSION_CALL = queryUrl("auth.status");

/** The call of a page that reads less on a narrow screen */
export type CallByWidth = Record<"wide" | "narrow", string>;

/** The days that the timeline shows at first */
export const TIMELINE_START = { wide: { before: 1, days: 14 }, narrow: { before: 0, days: 5 } } as const;

const FIRST_PAGE = { keyword: "", page: 1, pageSize: 20 };

/**
 * Returns the address of a query with one number of the page's address, `{roomId}`: a part of its path or a search
 * parameter. The server fills it in.
 */
const queryUrlWith = (procedure: string, field: string, name: string): string =>
  queryUrl(procedure, { [field]: `{${name}}` }).replace(/%22%7B(\w+)%7D%22/, "{$1}");

/**
 * What a page reads first, by its address. Calls without a number of the address are made only if it has no search
 * parameters. A browser test fails if a page doesn't take up its answer.
 */
export const PAGE_CALLS = {
  "/room": "/api/board",
  "/home": queryUrl("home.overview"),
  "/guests": queryUrl("guests.list", { keyword: "", by: "stay", state: "in", sort: "room", page: 1, pageSize: 20 }),
  "/customer/customer": queryUrl("customers.list", FIRST_PAGE),
  "/timeline": {
    wide: queryUrl("timeline.read", TIMELINE_START.wide),
    narrow: queryUrl("timeline.read", TIMELINE_START.narrow),
  },
  "/room/$roomId": queryUrlWith("rooms.detail", "roomId", "roomId"),
  "/room/thetouristsDetails": queryUrlWith("stays.byGuest", "stayGuestId", "id"),
} satisfies Record<string, string | CallByWidth>;

/** Answers are dropped after this time, because a page that opens later needs current ones. */
const FRESH_MS = 15_000;

declare global {
  /** the requests of the first script by their address */
  var earlyCalls: Map<string, Promise<Response>> | undefined;
}

/** Returns the answer to an early call, once; undefined if there was none for this address. */
export function takeEarlyAnswer(url: string): Promise<Response> | undefined {
  if (performance.now() > FRESH_MS) dropEarlyAnswers();
  const answer = globalThis.earlyCalls?.get(url);
  globalThis.earlyCalls?.delete(url);
  return answer;
}

/** Drops the answers that were not taken up: they may be refusals, or belong to who was logged in before. */
export function dropEarlyAnswers(): void {
  globalThis.earlyCalls = undefined;
}

export const hasEarlyAnswer = (url: string): boolean =>
  performance.now() <= FRESH_MS && globalThis.earlyCalls?.has(url) === true;
