import { afterEach, expect, it, vi } from "vitest";
import { hidLine } from "./lines/hid-line.ts";
import type { Command, ReaderLine } from "./lines/reader-line.ts";
import { ReaderError } from "./reader-error.ts";
import { serviceReader } from "./service-reader.ts";

afterEach(() => vi.unstubAllGlobals());

it("a call may take two seconds, a write five", async () => {
  const limits: Partial<Record<Command["step"], number>> = {};
  const answers: Partial<Record<Command["step"], string>> = { request: "0004", anticollision: "4A8C21F3" };
  const line: ReaderLine = {
    async exchange({ step }, { limit }) {
      limits[step] = limit;
      if (step === "write") throw new ReaderError("writeFailed", step);
      return answers[step] ?? "";
    },
    supports: () => true,
    drop: () => undefined,
  };
  const block = { block: 4, keyType: "A", key: "FFFFFFFFFFFF" } as const;
  await serviceReader(line)
    .writeBlock(block, "00".repeat(16))
    .catch(() => undefined);
  expect(limits).toMatchObject({ open: 2000, request: 2000, authenticate: 2000, write: 5000 });
});

it("a reader of type 2 is opened by vendor 1047 and product 32800", async () => {
  let requests: unknown[] = [];
  const bridge =
    (ofVendor: number) =>
    async (url: string, { body }: { body: string }) => {
      requests.push([url, JSON.parse(body)]);
      return new Response(JSON.stringify({ ok: JSON.parse(body).vid === ofVendor }));
    };
  const call = { signal: new AbortController().signal, limit: 2000 };
  const open = "http://localhost:8765/open";
  const both = [
    [open, { vid: 1047, pid: 32800 }],
    [open, { vid: 1046, pid: 32800 }],
  ];
  vi.stubGlobal("fetch", bridge(0));
  await expect(hidLine().exchange({ step: "open" }, call)).rejects.toMatchObject({ kind: "noDevice" });
  expect(requests).toEqual(both);

  requests = [];
  vi.stubGlobal("fetch", bridge(1046));
  await hidLine()
    .exchange({ step: "open" }, call)
    .catch(() => undefined);
  expect(requests.slice(0, 2)).toEqual(both);

  requests = [];
  vi.stubGlobal("fetch", bridge(1047));
  await hidLine()
    .exchange({ step: "open" }, call)
    .catch(() => undefined);
  expect(requests.slice(0, 1)).toEqual(both.slice(0, 1));
  expect(requests).not.toContainEqual(both[1]);
});
