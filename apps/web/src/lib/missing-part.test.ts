import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** A tab: what it keeps outlives the page in it, whose listeners don't. */
const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
};
const reload = vi.fn();
let listeners: Map<string, (event: object) => void>;
let part: typeof import("./missing-part.ts");

/** The page as it begins, for the first time or after it was loaded anew. */
async function begin(): Promise<void> {
  vi.resetModules();
  reload.mockClear();
  listeners = new Map();
  vi.stubGlobal("addEventListener", (name: string, listener: (event: object) => void) => listeners.set(name, listener));
  vi.stubGlobal("sessionStorage", storage);
  part = await import("./missing-part.ts");
  part.watchParts();
}

const ADDRESS = "Failed to fetch dynamically imported module: http://localhost/assets/orders-abc1234.js";
/** As the build's loader does it: it says that the part didn't come, and the one who asked gets the same error. */
async function load(message = ADDRESS): Promise<never> {
  const payload = new TypeError(message);
  listeners.get("vite:preloadError")?.({ payload });
  throw payload;
}
/** As the browser says of what nobody caught. */
const uncaught = async (loading: Promise<unknown>): Promise<void> =>
  loading.then(
    () => undefined,
    (reason) => listeners.get("unhandledrejection")?.({ reason }),
  );

beforeEach(async () => {
  kept.clear();
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubGlobal("location", { reload });
  await begin();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a part that was only loaded ahead and doesn't come changes nothing", async () => {
  part.inPassing(load());
  part.inPassing(undefined);
  // Were it nobody's to catch, it would be this run's failure.
  await new Promise((done) => setImmediate(done));
  expect(reload).not.toHaveBeenCalled();
  expect(kept.size).toBe(0);
});

it("a part that somebody waits for starts the page over, whoever notices", async () => {
  const ways = [
    async () => expect(part.needed(load())).rejects.toThrow(ADDRESS),
    async () => part.startOver(await load().catch((error) => error)),
    async () => uncaught(load()),
  ];
  for (const way of ways) {
    kept.clear();
    await begin();
    await way();
    expect(reload).toHaveBeenCalledOnce();
  }
});

it("starts over once: what is missing after that is an error on the page, for five minutes", async () => {
  await uncaught(load());
  expect(reload).toHaveBeenCalledOnce();
  await begin();
  await uncaught(load());
  await expect(part.needed(load())).rejects.toThrow(ADDRESS);
  expect(reload).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + 5 * 60_000);
  await uncaught(load());
  expect(reload).toHaveBeenCalledOnce();
});

it("counts the router's own start, and it is none for ever", async () => {
  kept.set(`tanstack_router_reload:${ADDRESS}`, "1");
  await begin();
  await uncaught(load());
  expect(reload).not.toHaveBeenCalled();
  expect(kept.get(`tanstack_router_reload:${ADDRESS}`), "or the router would start over again").toBeTruthy();
  vi.setSystemTime(Date.now() + 5 * 60_000);
  await begin();
  await uncaught(load());
  expect(reload).toHaveBeenCalledOnce();
});

it("a page that is being left isn't brought back by what it no longer gets", async () => {
  listeners.get("beforeunload")?.({});
  await uncaught(load());
  expect(reload).not.toHaveBeenCalled();
});

it("other failures are left alone, whatever they say", async () => {
  await expect(part.needed(Promise.reject(new TypeError(ADDRESS)))).rejects.toThrow(ADDRESS);
  await uncaught(Promise.reject(new Error("refused")));
  await uncaught(Promise.reject("a word"));
  expect(await part.needed(Promise.resolve(7))).toBe(7);
  expect(reload).not.toHaveBeenCalled();
});

it("never starts over where nothing can be noted: it could do so for ever", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  part.watchParts();
  await uncaught(load());
  expect(reload).not.toHaveBeenCalled();
});

it("what React caught is said, but not a part that a page being left no longer gets", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const lost = await load().catch((error) => error);
  const wrong = new Error("wrong");
  part.sayCaught(lost, { componentStack: "at Page" });
  listeners.get("beforeunload")?.({});
  part.sayCaught(lost, {});
  part.sayCaught(wrong, {});
  expect(said.mock.calls.map(([error]) => error)).toEqual([lost, wrong]);
  said.mockRestore();
});
