import { expect, it, vi } from "vitest";
import { callsOf } from "./calls.ts";

it("sends what a guest gives under the link of their own page, whichever link the browser shows by then", async () => {
  const fetched = vi.fn(async (_url: string, _request: { body: string }) => new Response("{}"));
  vi.stubGlobal("fetch", fetched);
  vi.stubGlobal("location", { hash: "#ada" });
  const calls = callsOf("ada");
  location.hash = "#ben";
  await calls.sendPreCheckIn({ name: "Ada Quince" });
  await calls.checkOut();
  const sent = fetched.mock.calls.map(([url, { body }]) => [url, JSON.parse(body)]);
  expect(sent).toEqual([
    ["/api/pre-check-in", { token: "ada", name: "Ada Quince" }],
    ["/api/check-out", { token: "ada" }],
  ]);
  vi.unstubAllGlobals();
});
