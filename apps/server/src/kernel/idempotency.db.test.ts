import { EventEmitter, once } from "node:events";
import { DomainError } from "@innkey/shared/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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

describe("a request with a key", () => {
  const keyed = (key: string, content: Record<string, unknown> = { roomId: 1 }) => ({ key, content });

  it("is answered again with the first answer, on another server too, for a day", async () => {
    expect(await idempotency.answerOnce(scope, keyed("a"), work)).toEqual({ answer: 1, isRepeated: false });
    expect(await other().answerOnce(scope, keyed("a"), work)).toEqual({ answer: 1, isRepeated: true });
    server.clock.advance(86_400_000);
    expect(await idempotency.answerOnce(scope, keyed("a"), work)).toEqual({ answer: 2, isRepeated: false });
  });

  it("stays taken if nobody knows whether the write was stored", async () => {
    const broken = idempotency.answerOnce(scope, keyed("e"), async () => {
      throw new Error("Connection terminated unexpectedly");
    });
    await expect(broken).rejects.toThrow("Connection terminated");
    await expect(idempotency.answerOnce(scope, keyed("e"), work)).rejects.toMatchObject({ code: "repeated" });
  });

  it("is refused while it is running, and may be sent again after it was refused", async () => {
    const running = new EventEmitter();
    const first = idempotency.answerOnce(scope, keyed("b"), async () => {
      running.emit("begun");
      await once(running, "end");
      throw new DomainError("room_taken");
    });
    await once(running, "begun");
    await expect(other().answerOnce(scope, keyed("b"), work)).rejects.toMatchObject({ code: "repeated" });
    running.emit("end");
    await expect(first).rejects.toMatchObject({ code: "room_taken" });
    expect(await idempotency.answerOnce(scope, keyed("b"), work)).toEqual({ answer: 1, isRepeated: false });
  });

  it("is refused if its key came with another request", async () => {
    await idempotency.answerOnce(scope, keyed("c"), work);
    await expect(idempotency.answerOnce(scope, keyed("c", { roomId: 2 }), work)).rejects.toMatchObject({
      code: "invalid_input",
      fields: { "idempotency-key": { key: "validation.keyUsed" } },
    });
  });

  it("keeps its answer encrypted", async () => {
    await idempotency.answerOnce(scope, keyed("d"), async () => ({ code: "135790" }));
    const { rows } = await server.database.pool.query<{ answer: Buffer }>(
      "SELECT answer FROM request_once WHERE answer IS NOT NULL ORDER BY held_until DESC LIMIT 1",
    );
    expect(rows[0]?.answer.includes("135790")).toBe(false);
  });
});
