import { expect, it } from "vitest";
import { createPasswordHasher } from "./password-hasher.ts";

it("hashes with argon2id as OWASP asks, and knows its own", async () => {
  const hasher = createPasswordHasher();
  const hash = await hasher.hash("correct horse");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(hash, "correct horse")).toBe(true);
  expect(await hasher.verify(hash, "wrong")).toBe(false);
});

it("never takes the password nobody has for a right one", async () => {
  expect(await createPasswordHasher().verify(null, "no account has this password")).toBe(false);
});

it("works on two at once, lets others wait, and turns away who would wait too long", async () => {
  const hasher = createPasswordHasher(2, 3);
  let running = 0;
  let most = 0;
  const turns: (() => void)[] = [];
  const enter = (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    return new Promise((resolve) => {
      turns.push(() => {
        running -= 1;
        resolve();
      });
    });
  };
  const calls = Array.from({ length: 5 }, () => hasher.verify(null, "x", { before: enter }));
  await expect(hasher.verify(null, "x")).rejects.toMatchObject({ code: "unavailable" });
  for (let served = 0; served < 5; served += 1) {
    await expect.poll(() => turns.length).toBeGreaterThan(0);
    turns.shift()?.();
  }
  await Promise.all(calls);
  expect(most).toBe(2);
});

it("frees its place when what runs before fails", async () => {
  const hasher = createPasswordHasher(1, 0);
  await expect(hasher.verify(null, "x", { before: () => Promise.reject(new Error("no")) })).rejects.toThrow("no");
  expect(await hasher.verify(null, "x")).toBe(false);
});
