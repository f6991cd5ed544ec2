import { afterEach, beforeEach, expect, it, vi } from "vitest";

let connection: typeof import("./connection.ts");
let answers: boolean;
const json = () => new Response("{}", { status: 200, headers: { "content-type": "application/json" } });
const ask = vi.fn(async () => {
  if (!answers) throw new TypeError("Failed to fetch");
  return json();
});
const away = async (): Promise<Response> => {
  throw new TypeError("Failed to fetch");
};

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal("fetch", ask);
  ask.mockClear();
  answers = true;
  connection = await import("./connection.ts");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a single failed request doesn't count as a lost connection while the server answers", async () => {
  await expect(connection.sendNoted(away, true)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(ask).toHaveBeenCalledOnce();
  expect(connection.isConnectionLost()).toBe(false);
});

it("an unreachable server is polled until it is back, and listeners are notified", async () => {
  answers = false;
  await expect(connection.sendNoted(away, true)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.isConnectionLost()).toBe(true);
  const back = vi.fn();
  connection.onConnectionRestored(back);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask.mock.calls.length).toBeGreaterThan(5);
  expect(back).not.toHaveBeenCalled();
  answers = true;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(back).toHaveBeenCalledOnce();
  expect(connection.isConnectionLost()).toBe(false);
});

it("while the server is unreachable a mutation is refused without being sent, and a query is tried", async () => {
  answers = false;
  await connection.checkConnection();
  const act = vi.fn(async () => json());
  await expect(connection.sendNoted(act, false)).rejects.toThrow();
  expect(act).not.toHaveBeenCalled();
  await connection.sendNoted(act, true);
  expect(act).toHaveBeenCalledOnce();
  expect(connection.isConnectionLost(), "an answer is an answer").toBe(false);
});

it("an error of a proxy counts as unreachable, a refusal of the server itself doesn't", async () => {
  answers = false;
  await expect(connection.sendNoted(async () => new Response("bad gateway", { status: 502 }), true)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.isConnectionLost()).toBe(true);
  const busy = new Response("{}", { status: 503, headers: { "content-type": "application/json" } });
  expect((await connection.sendNoted(async () => busy, true)).status).toBe(503);
  expect(connection.isConnectionLost()).toBe(false);
});
