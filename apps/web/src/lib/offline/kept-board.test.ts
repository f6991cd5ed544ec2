import { afterEach, beforeEach, expect, it, vi } from "vitest";

const stores = new Map<string, Map<string, Response>>();
const fakeCaches = {
  open: async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return { put: async (url: string, answer: Response) => void store.set(url, answer) };
  },
  match: async (url: string, { cacheName }: { cacheName: string }) => stores.get(cacheName)?.get(url)?.clone(),
  delete: async (name: string) => stores.delete(name),
};

let keeper: typeof import("./kept-board.ts");
const READ_AT = "2026-11-25T22:41:00.000Z";
const board = { hotelName: "Messing", timeZone: "UTC", readAt: READ_AT, sections: [] };
const hoursLater = (hours: number): number => Date.parse(READ_AT) + hours * 3_600_000;

beforeEach(async () => {
  stores.clear();
  vi.resetModules();
  vi.stubGlobal("caches", fakeCaches);
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal(
    "BroadcastChannel",
    class extends EventTarget {
      postMessage(): void {}
    },
  );
  keeper = await import("./kept-board.ts");
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("a board is shown for twelve hours, and then removed", async () => {
  await keeper.keepBoard(board, async () => undefined);
  expect(await keeper.readKeptBoard(hoursLater(11))).toEqual(board);
  expect(await keeper.readKeptBoard(hoursLater(12))).toBeNull();
  expect(stores.size).toBe(0);
});

it("a board from the future is removed, because nobody knows how old it is", async () => {
  await keeper.keepBoard(board, async () => undefined);
  expect(await keeper.readKeptBoard(hoursLater(-1))).toBeNull();
  expect(stores.size).toBe(0);
});

it("a session that ends while its board is being kept leaves nothing", async () => {
  await keeper.keepBoard(board, () => keeper.forgetKeptBoard());
  expect(stores.size).toBe(0);
});

it("without https nothing is kept or read", async () => {
  vi.stubGlobal("isSecureContext", false);
  expect(keeper.mayKeepBoard()).toBe(false);
  expect(await keeper.readKeptBoard()).toBeNull();
  await keeper.forgetKeptBoard();
});
