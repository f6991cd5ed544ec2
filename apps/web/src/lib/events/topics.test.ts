import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const queryClient = new QueryClient();
vi.mock("../query-client.ts", () => ({ queryClient }));

const { readAfterWrite, readSoon } = await import("./topics.ts");

let reads: string[];
const stops: (() => void)[] = [];

/** Shows queries on a page: paths of the router, or "board" and "session". */
async function show(...names: string[]): Promise<void> {
  for (const name of names) {
    const queryKey = name.includes(".") ? [name.split("."), { type: "query" }] : [name];
    const queryFn = async (): Promise<string> => {
      reads.push(name);
      return name;
    };
    stops.push(new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined));
  }
  await vi.advanceTimersByTimeAsync(10);
  reads.length = 0;
}

beforeEach(() => {
  vi.useFakeTimers();
  reads = [];
});
afterEach(async () => {
  await vi.runAllTimersAsync();
  for (const stop of stops.splice(0)) stop();
  queryClient.clear();
  vi.useRealTimers();
});

it("a check-in refreshes only stays, guests, money and keys", async () => {
  await show("board", "session", "guests.list", "folio.list", "cards.ofStay", "staff.list", "alerts.unread");
  readAfterWrite("stays.checkIn");
  await vi.advanceTimersByTimeAsync(10);
  expect(reads.toSorted()).toEqual(["board", "cards.ofStay", "folio.list", "guests.list"]);
});

it("a write that changes nothing, or is unknown, refreshes nothing", async () => {
  await show("board", "session", "guests.list", "rooms.page");
  for (const path of ["imports.preview", "auth.logout", "passcodes.reveal", "unknown.thing"]) readAfterWrite(path);
  await vi.advanceTimersByTimeAsync(10);
  expect(reads).toEqual([]);
});

it("only a change of the operator's profile or the hotel refreshes the session", async () => {
  await show("session", "guests.list");
  readAfterWrite("auth.saveProfile");
  await vi.advanceTimersByTimeAsync(10);
  expect(reads).toEqual(["session"]);
  readAfterWrite("hotel.update");
  await vi.advanceTimersByTimeAsync(10);
  expect(reads.slice(1).toSorted()).toEqual(["guests.list", "session"]);
});

it("the first change refreshes at once, and a burst of changes together after a pause", async () => {
  await show("guests.list", "folio.list", "locks.list");
  readSoon(["guests"]);
  await vi.advanceTimersByTimeAsync(10);
  expect(reads).toEqual(["guests.list"]);
  for (let at = 0; at < 20; at += 1) readSoon(["guests", "money"]);
  await vi.advanceTimersByTimeAsync(100);
  expect(reads).toEqual(["guests.list"]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads.slice(1).toSorted()).toEqual(["folio.list", "guests.list"]);
});

it("a gap in the events refreshes everything but the session", async () => {
  await show("session", "guests.list", "staff.list");
  readSoon(["guests"]);
  readSoon(null);
  await vi.advanceTimersByTimeAsync(1000);
  expect(new Set(reads)).toEqual(new Set(["guests.list", "staff.list"]));
});
