import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const queryClient = new QueryClient();
vi.mock("../query-client.ts", () => ({ queryClient }));
vi.mock("../i18n.ts", () => ({ language: { header: "English" }, textOf: (key: string) => key }));
let restoreConnection: () => void = () => undefined;
vi.mock("../loading/connection.ts", () => ({
  onConnectionRestored: (listener: () => void) => {
    restoreConnection = listener;
  },
}));

/** Time after which what an answer announced has been read. */
const AFTER_ANSWER_MS = 60;

let topics: typeof import("./topics.ts");
let reads: string[];
let answerMs: number;
const stops: (() => void)[] = [];

/** Queries of what doesn't exist. */
let missing: string[];

/** Shows queries on a page: paths of the router, or "board" and "session". */
async function show(...names: string[]): Promise<void> {
  const { RestError } = await import("../rest.ts");
  for (const name of names) {
    const queryKey = name.includes(".") ? [name.split("."), { type: "query" }] : [name];
    const queryFn = async (): Promise<string> => {
      reads.push(name);
      if (missing.includes(name)) throw new RestError({ code: "not_found" });
      if (answerMs > 0) await new Promise((resolve) => setTimeout(resolve, answerMs));
      return name;
    };
    stops.push(new QueryObserver(queryClient, { queryKey, queryFn, retry: false }).subscribe(() => undefined));
  }
  await vi.advanceTimersByTimeAsync(0);
  reads.length = 0;
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  topics = await import("./topics.ts");
  reads = [];
  missing = [];
  answerMs = 0;
});
afterEach(async () => {
  await vi.runAllTimersAsync();
  for (const stop of stops.splice(0)) stop();
  queryClient.clear();
  vi.useRealTimers();
});

it("a check-in refreshes only stays, guests, money and keys", async () => {
  await show("board", "session", "guests.list", "folio.list", "cards.ofStay", "staff.list", "alerts.unread");
  topics.readAfterWrite("stays.checkIn");
  await vi.advanceTimersByTimeAsync(AFTER_ANSWER_MS);
  expect(reads.toSorted()).toEqual(["board", "cards.ofStay", "folio.list", "guests.list"]);
});

it("a write that changes nothing, or is unknown, refreshes nothing", async () => {
  await show("board", "session", "guests.list", "rooms.page");
  for (const path of ["imports.preview", "auth.logout", "passcodes.reveal", "unknown.thing"])
    topics.readAfterWrite(path);
  await vi.advanceTimersByTimeAsync(AFTER_ANSWER_MS);
  expect(reads).toEqual([]);
});

it("an event doesn't read again what doesn't exist, so that the way back stays where it is", async () => {
  missing = ["locks.detail"];
  await show("locks.list", "locks.detail");
  topics.readSoon(["locks"]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(reads).toEqual(["locks.list"]);
});

it("only a change of the operator's profile or the hotel refreshes the session", async () => {
  await show("session", "guests.list");
  topics.readAfterWrite("auth.saveProfile");
  await vi.advanceTimersByTimeAsync(AFTER_ANSWER_MS);
  expect(reads).toEqual(["session"]);
  topics.readAfterWrite("hotel.update");
  await vi.advanceTimersByTimeAsync(AFTER_ANSWER_MS);
  expect(reads.slice(1).toSorted()).toEqual(["guests.list", "session"]);
});

it("an answer, its own event and all events of the commit cause one read, in whatever order they arrive", async () => {
  await show("board", "guests.list", "folio.list", "alerts.unread");
  const announcements = [
    () => topics.readAfterWrite("stays.checkIn"),
    () => topics.readSoon(["board"]),
    () => topics.readSoon(["alerts"]),
    () => topics.readSoon(["stays", "guests", "money", "audit"]),
  ];
  for (const inOrder of [announcements, announcements.toReversed()]) {
    reads.length = 0;
    for (const announce of inOrder) {
      announce();
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(2000);
    expect(reads.toSorted()).toEqual(["alerts.unread", "board", "folio.list", "guests.list"]);
  }
});

it("the first event refreshes soon, and a burst of events together after a pause", async () => {
  await show("guests.list", "folio.list", "locks.list");
  topics.readSoon(["guests"]);
  await vi.advanceTimersByTimeAsync(AFTER_ANSWER_MS);
  expect(reads).toEqual(["guests.list"]);
  for (let at = 0; at < 20; at += 1) topics.readSoon(["guests", "money"]);
  await vi.advanceTimersByTimeAsync(400);
  expect(reads).toEqual(["guests.list"]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads.slice(1).toSorted()).toEqual(["folio.list", "guests.list"]);
});

it("a write of this tab doesn't wait for the pause after events, and takes waiting events along", async () => {
  await show("guests.list", "folio.list");
  topics.readSoon(["guests"]);
  await vi.advanceTimersByTimeAsync(AFTER_ANSWER_MS);
  topics.readSoon(["guests"]);
  topics.readAfterWrite("folio.pay");
  await vi.advanceTimersByTimeAsync(AFTER_ANSWER_MS);
  expect(reads.slice(1).toSorted()).toEqual(["folio.list", "guests.list"]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads).toHaveLength(3);
});

it("an event during a slow read doesn't cancel it but causes another read after it", async () => {
  await show("guests.list");
  answerMs = 3000;
  topics.readSoon(["guests"]);
  await vi.advanceTimersByTimeAsync(1000);
  for (let at = 0; at < 5; at += 1) topics.readSoon(["guests"]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(reads).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads).toHaveLength(2);
});

it("a gap in the events refreshes everything but the session", async () => {
  await show("session", "guests.list", "staff.list");
  topics.readSoon(["guests"]);
  topics.readSoon(null);
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads.toSorted()).toEqual(["guests.list", "staff.list"]);
});

it("after an outage everything but the session is read once, when the stream is open or soon without a stream", async () => {
  await show("session", "guests.list", "staff.list");
  restoreConnection();
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads).toEqual([]);
  topics.readSoon(null);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads.toSorted()).toEqual(["guests.list", "staff.list"]);
  restoreConnection();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads.slice(2).toSorted()).toEqual(["guests.list", "staff.list"]);
});

it("the board can be refreshed without other pages that show its rooms", async () => {
  await show("board", "rooms.detail", "timeline.read", "home.overview");
  topics.readBoard();
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads).toEqual(["board"]);
});
