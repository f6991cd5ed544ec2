import { expect, it } from "vitest";
import { once } from "./runs.ts";

it("runs once for all callers, and again after a failure", async () => {
  const ends = [Promise.reject(new Error("offline")), Promise.resolve(), Promise.resolve()];
  let times = 0;
  const ask = once(() => ends[times++] ?? Promise.resolve());
  const first = [ask(), ask()];
  for (const request of first) await expect(request).rejects.toThrow("offline");
  expect(times).toBe(1);
  await Promise.all([ask(), ask()]);
  await ask();
  expect(times).toBe(2);
});
