import { EventEmitter, once } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestServer, type TestServer } from "../../test/harness/server.ts";
import { IdempotentRequests, type Request } from "./idempotency.ts";
import type { Scope } from "./scope.ts";
import { secretBox } from "./secret-box.ts";

let server: TestServer;
let scope: Scope;
let idempotency: IdempotentRequests;
let runs: number;

const work = async (): Promise<number> => {
  runs += 1;
  return runs;
};
const request = (payload: Record<string, unknown>, requestId: string | null = null): Request => ({
  path: "/manage/room/checkOut",
  payload,
  requestId,
});

beforeAll(async () => {
  server = await createTestServer();
  const hotel = await server.createHotel();
  scope = await server.scopeOf(await server.createOperator(hotel, { role: "owner" }));
});
afterAll(() => server.close());
beforeEach(() => {
  runs = 0;
  idempotency = other();
  server.clock.advance(3_600_000);
});

/** Idempotency of another server on the same database. */
const other = (): IdempotentRequests =>
  new IdempotentRequests({
    database: server.database,
    clock: server.clock,
    accountBox: secretBox(server.rootKey, "account"),
  });

it("runs one of many simultaneous requests, over two servers", async () => {
  const second = other();
  const attempts = Array.from({ length: 20 }, (_, index) =>
    (index % 2 ? idempotency : second).once(scope, request({ id: 1 }), work),
  );
  const answers = await Promise.all(attempts);
  expect(answers.filter((answer) => answer !== null)).toEqual([{ result: 1 }]);
});

it("recognises the same request whatever the order of its fields, and distinguishes others", async () => {
  await idempotency.once(scope, request({ id: 1, rooms: [1, 2], of: { a: 1, b: 2 } }), work);
  expect(await idempotency.once(scope, request({ of: { b: 2, a: 1 }, rooms: [1, 2], id: 1 }), work)).toBeNull();
  expect(await idempotency.once(scope, request({ of: { b: 2, a: 1 }, rooms: [2, 1], id: 1 }), work)).not.toBeNull();
  expect(await idempotency.once(scope, { ...request({ id: 1 }), path: "/manage/room/setRenew" }, work)).not.toBeNull();
});

it("allows the same request again after two seconds, and not before", async () => {
  await idempotency.once(scope, request({ id: 2 }), work);
  server.clock.advance(1_999);
  expect(await idempotency.once(scope, request({ id: 2 }), work)).toBeNull();
  server.clock.advance(1);
  expect(await idempotency.once(scope, request({ id: 2 }), work)).toEqual({ result: 2 });
});

it("refuses a request while the first one is running", async () => {
  const steps = new EventEmitter();
  const running = once(steps, "begun");
  const slow = idempotency.once(scope, request({ id: 3 }), () => {
    steps.emit("begun");
    return once(steps, "finish");
  });
  await running;
  server.clock.advance(30_000);
  expect(await idempotency.once(scope, request({ id: 3 }), work)).toBeNull();
  steps.emit("finish");
  await slow;
  expect(await idempotency.once(scope, request({ id: 3 }), work)).not.toBeNull();
});

it("runs a named request once, however late it is repeated", async () => {
  await idempotency.once(scope, request({ id: 4 }, "r-1"), work);
  server.clock.advance(23 * 3_600_000);
  expect(await idempotency.once(scope, request({ id: 4 }, "r-1"), work)).toBeNull();
  expect(await idempotency.once(scope, request({ id: 4 }, "r-2"), work)).not.toBeNull();
});

it("allows a failed request again at once", async () => {
  const fails = async (): Promise<never> => Promise.reject(new Error("no"));
  for (const name of [null, "r-9"]) {
    await expect(idempotency.once(scope, request({ id: 5 }, name), fails)).rejects.toThrow("no");
    expect(await idempotency.once(scope, request({ id: 5 }, name), work)).not.toBeNull();
  }
});

it("deletes each row when it no longer counts", async () => {
  for (let id = 100; id < 110; id += 1) await idempotency.once(scope, request({ id }), work);
  server.clock.advance(24 * 3_600_000);
  await other().once(scope, request({ id: 200 }), work);
  const { rows } = await server.database.pool.query("SELECT count(*)::int AS kept FROM request_once");
  expect(rows).toEqual([{ kept: 1 }]);
});
