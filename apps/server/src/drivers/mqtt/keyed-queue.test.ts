import { DomainError } from "@innkey/shared/errors";
import { expect, it } from "vitest";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import { KeyedQueue } from "./keyed-queue.ts";

const keyedQueue = () => new KeyedQueue(createLogger("silent"));

it("runs the work of a key in order, and repeats failed work before what follows", async () => {
  const done: string[] = [];
  const some = keyedQueue();
  let failures = 2;
  await Promise.all([
    some.take("a", async () => {
      if (failures-- > 0) throw new Error("database is down");
      done.push("a1");
    }),
    some.take("a", async () => void done.push("a2")),
    some.take("b", async () => void done.push("b1")),
  ]);
  expect(done).toEqual(["b1", "a1", "a2"]);
});

it("holds at most a hundred jobs of a key", async () => {
  const some = keyedQueue();
  let release = (): void => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const attempts = Array.from({ length: 130 }, () => some.take("a", () => blocked));
  expect(some.dropped).toBe(30);
  release();
  await Promise.all(attempts);
  await some.take("a", async () => {});
  expect(some.dropped).toBe(30);
});

it("stops repeating when it closes", async () => {
  const some = keyedQueue();
  const never = some.take("a", () => Promise.reject(new Error("for ever")));
  some.close();
  await never;
});

it("drops work that can never succeed, so that it does not block what follows", async () => {
  const done: string[] = [];
  const some = new KeyedQueue(createLogger("silent"), 500);
  let away = 3;
  await Promise.all([
    some.take("a", () => Promise.reject(new Error("invalid byte sequence"))),
    some.take("a", async () => {
      if (away-- > 0) throw new DomainError("unavailable");
      done.push("waited for the database");
    }),
  ]);
  expect(done).toEqual(["waited for the database"]);
  expect(some.dropped).toBe(1);
});
