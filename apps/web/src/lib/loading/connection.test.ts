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

it("one request that breaks is no loss while the server answers", async () => {
  await expect(connection.sendNoted(away, true)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(ask).toHaveBeenCalledOnce();
  expect(connection.isConnectionLost()).toBe(false);
});

it("a server that is away is asked until it is back, and who waits for it is told", async () => {
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

it("while it is away an act is refused without being sent; a reading is tried", async () => {
  answers = false;
  await connection.checkConnection();
  const act = vi.fn(async () => json());
  await expect(connection.sendNoted(act, false)).rejects.toThrow();
  expect(act).not.toHaveBeenCalled();
  await connection.sendNoted(act, true);
  expect(act).toHaveBeenCalledOnce();
  expect(connection.isConnectionLost(), "an answer is an answer").toBe(false);
});

it("a proxy that answers in its place is no server; the server's own refusals are", async () => {
  answers = false;
  await expect(connection.sendNoted(async () => new Response("bad gateway", { status: 502 }), true)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(0);
  expect(connection.isConnectionLost()).toBe(true);
  const busy = new Response("{}", { status: 503, headers: { "content-type": "application/json" } });
  expect((await connection.sendNoted(async () => busy, true)).status).toBe(503);
  expect(connection.isConnectionLost()).toBe(false);
});
