import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { withLimit } from "./reader-line.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("a time limit ends the wait also after a garbage collection", async () => {
  const limited = withLimit({ signal: new AbortController().signal, limit: 100 });
  const reasons: string[] = [];
  limited.addEventListener("abort", () => reasons.push(limited.reason.name));
  await pause(20);
  collectGarbage();
  await pause(300);
  expect(reasons).toEqual(["TimeoutError"]);
});
