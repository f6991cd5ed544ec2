import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { expect, it } from "vitest";
import { z } from "zod";
import { open, type RequestContext, router } from "./trpc.ts";

const testRouter = router({
  broken: open.output(z.object({ total: z.int() })).query(() => ({ total: 0.5 })),
  strict: open.input(z.object({ name: z.string() })).query(() => "ok"),
});

async function answer(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; code: string; fields: unknown }> {
  const response = await fetchRequestHandler({
    endpoint: "/t",
    req: new Request(`http://localhost/t/${path}?input=%7B%7D`, init),
    router: testRouter,
    createContext: () => ({ requestId: "r" }) as RequestContext,
  });
  const { error } = (await response.json()) as { error: { data: { innkey: { code: string; fields: unknown } } } };
  return { status: response.status, code: error.data.innkey.code, fields: error.data.innkey.fields };
}

it("distinguishes wrong input from a wrong output of our own", async () => {
  expect(await answer("strict")).toMatchObject({
    status: 400,
    code: "invalid_input",
    fields: { name: expect.anything() },
  });
  expect(await answer("broken")).toEqual({ status: 500, code: "internal", fields: undefined });
});

it("answers a request that no procedure accepts as the caller's mistake", async () => {
  expect(await answer("strict", { method: "POST" })).toMatchObject({ status: 415, code: "invalid_input" });
  const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  expect(await answer("strict", json)).toMatchObject({ status: 405, code: "invalid_input" });
  expect(await answer("nothing")).toMatchObject({ status: 404, code: "not_found" });
});
