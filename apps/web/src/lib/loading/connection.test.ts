import { afterEach, beforeEach, expect, it, vi } from "vitest";

let connection: typeof import("./connection.ts");
let isReachable: boolean;
const json = () => new Response("{}", { status: 200, headers: { "content-type": "application/json" } });
const fetchHealth = vi.fn(async () => {
  if (!isReachable) throw new TypeError("Failed to fetch");
  return json();
});
const failToFetch = async (): Promise<Response> => {
  throw new TypeError("Failed to fetch");
};

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetchHealth);
  fetchHealth.mockClear();
  isReachable = true;
  connection = await import("./connection.ts");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a single failed request doesn't count as a lost connection while the server answers", async () => {
  await expect(connection.sendNoted(failToFetch, true)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(fetchHealth).toHaveBeenCalledOnce();
  expect(connection.isConnectionLost()).toBe(false);
});

it("an unreachable server is polled until it is back, and listeners are notified", async () => {
  isReachable = false;
  await expect(connection.sendNoted(failToFetch, true)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.isConnectionLost()).toBe(true);
  const onRestored = vi.fn();
  connection.onConnectionRestored(onRestored);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetchHealth.mock.calls.length).toBeGreaterThan(5);
  expect(onRestored).not.toHaveBeenCalled();
  isReachable = true;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(onRestored).toHaveBeenCalledOnce();
  expect(connection.isConnectionLost()).toBe(false);
});

it("while the server is unreachable a mutation is refused without being sent, and a query is tried", async () => {
  isReachable = false;
  await connection.checkConnection();
  const send = vi.fn(async () => json());
  await expect(connection.sendNoted(send, false)).rejects.toThrow();
  expect(send).not.toHaveBeenCalled();
  await connection.sendNoted(send, true);
  expect(send).toHaveBeenCalledOnce();
  expect(connection.isConnectionLost()).toBe(false);
});

it("an error of a proxy counts as unreachable, a refusal of the server itself doesn't", async () => {
  isReachable = false;
  await expect(connection.sendNoted(async () => new Response("bad gateway", { status: 502 }), true)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.isConnectionLost()).toBe(true);
  for (const status of [502, 503, 504]) {
    const own = new Response("{}", { status, headers: { "content-type": "application/json" } });
    expect((await connection.sendNoted(async () => own, true)).status).toBe(status);
  }
  expect(connection.isConnectionLost()).toBe(false);
});
