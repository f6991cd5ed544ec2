import { DomainError } from "@innkey/shared/errors";
import { expect, it } from "vitest";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import { KeyedQueue } from "./keyed-queue.ts";

const keyedQueue = () => new KeyedQueue(createLogger("silent"));

it("runs the work of a key in order, and repeats failed work before what follows", async () => {
  const done: string[] = [];
  const queue = keyedQueue();
  let failures = 2;
  await Promise.all([
    queue.take("a", async () => {
      if (failures-- > 0) throw new Error("database is down");
      done.push("a1");
    }),
    queue.take("a", async () => void done.push("a2")),
    queue.take("b", async () => void done.push("b1")),
  ]);
  expect(done).toEqual(["b1", "a1", "a2"]);
});

it("holds at most a hundred jobs of a key", async () => {
  const queue = keyedQueue();
  let release = (): void => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const attempts = Array.from({ length: 130 }, () => queue.take("a", () => blocked));
  expect(queue.dropped).toBe(30);
  release();
  await Promise.all(attempts);
  await queue.take("a", async () => {});
  expect(queue.dropped).toBe(30);
});

it("stops repeating when it closes", async () => {
  const queue = keyedQueue();
  const never = queue.take("a", () => Promise.reject(new Error("for ever")));
  queue.close();
  await never;
});

it("drops work that can never succeed, so that it does not block what follows", async () => {
  const done: string[] = [];
  const queue = new KeyedQueue(createLogger("silent"), 500);
  let away = 3;
  await Promise.all([
    queue.take("a", () => Promise.reject(new Error("invalid byte sequence"))),
    queue.take("a", async () => {
      if (away-- > 0) throw new DomainError("unavailable");
      done.push("waited for the database");
    }),
  ]);
  expect(done).toEqual(["waited for the database"]);
  expect(queue.dropped).toBe(1);
});
