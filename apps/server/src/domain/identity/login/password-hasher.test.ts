import argon2 from "argon2";
import { expect, it, vi } from "vitest";
import { createPasswordHasher } from "./passwords.ts";

it("hashes with argon2id as OWASP recommends, and verifies its own hashes", async () => {
  const hasher = createPasswordHasher();
  const hash = await hasher.hash("correct horse");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(hash, "correct horse")).toBe(true);
  expect(await hasher.verify(hash, "wrong")).toBe(false);
});

it("never accepts a password for an account that does not exist", async () => {
  expect(await createPasswordHasher().verify(null, "no account has this password")).toBe(false);
});

it("does the same work for an account that does not exist", async () => {
  const hasher = createPasswordHasher();
  const passwordHash = await hasher.hash("correct horse");
  await hasher.verify(null, "first, since the hash of nobody is made once");
  const judged = vi.spyOn(argon2, "verify");
  const wrong = vi.fn(async () => {});
  await hasher.verify(passwordHash, "wrong", { wrong });
  await hasher.verify(null, "wrong", { wrong });
  const costs = judged.mock.calls.map(([hash]) => /^\$argon2id\$v=19\$[^$]+\$/.exec(hash)?.[0]);
  judged.mockRestore();
  expect(costs).toEqual(["$argon2id$v=19$m=19456,t=2,p=1$", "$argon2id$v=19$m=19456,t=2,p=1$"]);
  expect(wrong).toHaveBeenCalledTimes(2);
});

it("hashes two at once, lets others wait, and refuses those who would wait too long", async () => {
  const hasher = createPasswordHasher({ maxConcurrent: 2, maxWaiting: 3 });
  let running = 0;
  let most = 0;
  const keyedQueue: (() => void)[] = [];
  const enter = (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    return new Promise((resolve) => {
      keyedQueue.push(() => {
        running -= 1;
        resolve();
      });
    });
  };
  const calls = Array.from({ length: 5 }, () => hasher.verify(null, "x", { before: enter }));
  await expect(hasher.verify(null, "x")).rejects.toMatchObject({ code: "unavailable" });
  for (let served = 0; served < 5; served += 1) {
    await expect.poll(() => keyedQueue.length).toBeGreaterThan(0);
    keyedQueue.shift()?.();
  }
  await Promise.all(calls);
  expect(most).toBe(2);
});

it("serves known callers before unknown ones, however many of those wait", async () => {
  const hasher = createPasswordHasher({ maxConcurrent: 1, maxWaiting: 3 });
  const order: string[] = [];
  const verify = (name: string, isKnown: boolean) =>
    hasher.verify(null, "x", {
      isKnown,
      before: async () => {
        order.push(name);
      },
    });
  const strangers = ["first", "second", "third", "fourth"].map((name) => verify(name, false));
  await expect(verify("fifth", false)).rejects.toMatchObject({ code: "unavailable" });
  await Promise.all([...strangers, verify("known", true)]);
  expect(order).toEqual(["first", "known", "second", "third", "fourth"]);
});

it("frees its place when the preceding step fails", async () => {
  const hasher = createPasswordHasher({ maxConcurrent: 1, maxWaiting: 0 });
  await expect(hasher.verify(null, "x", { before: () => Promise.reject(new Error("no")) })).rejects.toThrow("no");
  expect(await hasher.verify(null, "x")).toBe(false);
});
