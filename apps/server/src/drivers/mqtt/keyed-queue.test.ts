import { DomainError } from "@innkey/shared/errors";
import { expect, it } from "vitest";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import { Turns } from "./keyed-queue.ts";

const turns = () => new Turns(createLogger("silent"));

it("does the work of a key in the order it came, and what fails again before what follows", async () => {
  const done: string[] = [];
  const some = turns();
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

it("holds no more than a hundred of a key", async () => {
  const some = turns();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const taken = Array.from({ length: 130 }, () => some.take("a", () => held));
  expect(some.dropped).toBe(30);
  release();
  await Promise.all(taken);
  await some.take("a", async () => {});
  expect(some.dropped).toBe(30);
});

it("gives up at the end", async () => {
  const some = turns();
  const never = some.take("a", () => Promise.reject(new Error("for ever")));
  some.close();
  await never;
});

it("does not let what can never be kept stand in the way of what follows", async () => {
  const done: string[] = [];
  const some = new Turns(createLogger("silent"), 500);
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
