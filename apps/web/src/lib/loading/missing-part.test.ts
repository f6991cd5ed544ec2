import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** The storage of a browser tab. It outlives a reload of the page; the page's listeners don't. */
const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
};
const reload = vi.fn();
let isReachable = true;
const restored: (() => void)[] = [];
vi.mock("./connection.ts", () => ({
  checkConnection: async () => isReachable,
  connectionRestored: () => new Promise<void>((resolve) => restored.push(resolve)),
}));
let listeners: Map<string, (event: object) => void>;
let part: typeof import("./missing-part.ts");

/** Starts the page, for the first time or after a reload. */
async function startPage(): Promise<void> {
  vi.resetModules();
  reload.mockClear();
  listeners = new Map();
  vi.stubGlobal("addEventListener", (name: string, listener: (event: object) => void) => listeners.set(name, listener));
  vi.stubGlobal("sessionStorage", storage);
  part = await import("./missing-part.ts");
  part.watchMissingParts();
}

const ADDRESS = "Failed to fetch dynamically imported module: http://localhost/assets/orders-abc1234.js";
/** Behaves like the build's loader, which reports a file that failed to load and throws the same error. */
async function load(message = ADDRESS): Promise<never> {
  const payload = new TypeError(message);
  listeners.get("vite:preloadError")?.({ payload });
  throw payload;
}
/** Behaves like a browser that reports an unhandled rejection. */
async function uncaught(loading: Promise<unknown>): Promise<void> {
  await loading.catch((reason: unknown) => listeners.get("unhandledrejection")?.({ reason }));
  await settled();
}
/** Waits until all started work that needs no time is done. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

beforeEach(async () => {
  stored.clear();
  isReachable = true;
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubGlobal("location", { reload });
  await startPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a chunk that fails to preload changes nothing", async () => {
  part.ignoreFailure(load());
  part.ignoreFailure(undefined);
  // An unhandled rejection would fail this test run.
  await settled();
  expect(reload).not.toHaveBeenCalled();
  expect(stored.size).toBe(0);
});

it("a missing chunk that somebody waits for reloads the page, whoever notices it", async () => {
  const reports = [
    async () => expect(part.loadOrReload(load())).rejects.toThrow("didn't load"),
    async () => part.reloadIfMissing(await load().catch((error) => error)),
    async () => uncaught(load()),
  ];
  for (const report of reports) {
    stored.clear();
    await startPage();
    await report();
    expect(reload).toHaveBeenCalledOnce();
  }
});

it("the page reloads once in five minutes: after that a missing chunk is an error on the page", async () => {
  await uncaught(load());
  expect(reload).toHaveBeenCalledOnce();
  await startPage();
  await uncaught(load());
  await expect(part.loadOrReload(load())).rejects.toThrow(ADDRESS);
  expect(reload).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + 5 * 60_000);
  await uncaught(load());
  expect(reload).toHaveBeenCalledOnce();
});

it("the router gets an error that it doesn't take for a missing module, so it doesn't reload the page", async () => {
  const error: Error = await load().catch((reason) => reason);
  expect(error.message).not.toMatch(/^(Failed to fetch|error loading|Importing a module)/);
  expect(part.isMissingPart(error)).toBe(true);
});

it("the page doesn't reload while the server is unreachable, whoever notices the missing chunk", async () => {
  isReachable = false;
  await expect(part.loadOrReload(load())).rejects.toThrow();
  const error = await load().catch((reason) => reason);
  await part.reloadIfMissing(error);
  await uncaught(load());
  isReachable = true;
  await part.reloadIfMissing(error);
  expect(reload).not.toHaveBeenCalled();
  expect(stored.size, "a reload that didn't happen isn't recorded").toBe(0);
});

it("a chunk requested while the server is unreachable loads when the server is back", async () => {
  isReachable = false;
  const request = vi.fn(async () => (isReachable ? "part" : load()));
  const loaded = part.loadWhenReachable(request);
  await settled();
  expect(request).toHaveBeenCalledOnce();
  isReachable = true;
  for (const resolve of restored.splice(0)) resolve();
  expect(await loaded).toBe("part");
  expect(reload).not.toHaveBeenCalled();
});

it("a chunk that is missing on a reachable server reloads the page after a second try", async () => {
  const request = vi.fn(() => load());
  await expect(part.loadWhenReachable(request)).rejects.toThrow();
  expect(request).toHaveBeenCalledTimes(2);
  expect(reload).toHaveBeenCalledOnce();
  await expect(part.loadWhenReachable(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
});

it("a page that is being left isn't reloaded by its aborted requests", async () => {
  listeners.get("beforeunload")?.({});
  await uncaught(load());
  expect(reload).not.toHaveBeenCalled();
});

it("other errors are ignored, whatever their messages are", async () => {
  await expect(part.loadOrReload(Promise.reject(new TypeError(ADDRESS)))).rejects.toThrow(ADDRESS);
  await uncaught(Promise.reject(new Error("refused")));
  await uncaught(Promise.reject("a text"));
  expect(await part.loadOrReload(Promise.resolve(7))).toBe(7);
  expect(reload).not.toHaveBeenCalled();
});

it("the page doesn't reload if the reload can't be recorded, because it could reload for ever", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  part.watchMissingParts();
  await uncaught(load());
  expect(reload).not.toHaveBeenCalled();
});

it("errors caught by React are logged, except missing chunks of a page being left or an unreachable server", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const lost = await load().catch((error) => error);
  const wrong = new Error("wrong");
  await part.logCaughtError(lost, { componentStack: "at Page" });
  isReachable = false;
  await part.logCaughtError(lost, {});
  isReachable = true;
  listeners.get("beforeunload")?.({});
  await part.logCaughtError(lost, {});
  await part.logCaughtError(wrong, {});
  expect(logged.mock.calls.map(([error]) => error)).toEqual([lost, wrong]);
  logged.mockRestore();
});
