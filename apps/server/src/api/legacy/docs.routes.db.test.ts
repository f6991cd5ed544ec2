import { LANGUAGES } from "@innkey/shared/languages";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import type { TestHotel } from "../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { translator } from "../../kernel/translate.ts";
import { endpoints } from "./registry.ts";

let server: TestServer;
let hotel: TestHotel;
let owner: Browser;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await server.createHotel();
  owner = await server.loginAs(await server.createOperator(hotel, { role: "owner", apiKeyAuth: true }));
});
afterAll(() => server.close());

const page = async (headers: Record<string, string> = {}, query = "") =>
  (await owner.http("GET", `/manage/docs${query}`, { headers })).body;

describe("the documentation page", () => {
  it("is served to the owner, with every call, an anchor for each entry of its contents, and nothing that the policy forbids", async () => {
    const response = await owner.http("GET", "/manage/docs");
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["cache-control"]).toBe("private, no-store");
    const { body } = response;
    for (const { path } of endpoints) expect(body).toContain(`>${path}</a></h3>`);
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(endpoints.length);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(body).not.toMatch(/<script|<style|style=|\son\w+=|javascript:/i);
    expect(body).not.toMatch(/undefined|legacyDocs\./);
  });

  it("is refused to everybody else", async () => {
    const codeOf = async (browser: Browser, headers = {}) => {
      const { statusCode, body } = await browser.http("GET", "/manage/docs", { headers });
      return [statusCode, (JSON.parse(body) as { code: string }).code];
    };
    for (const role of ["administrator", "staff"] as const) {
      const browser = await server.loginAs(await server.createOperator(hotel, { role }));
      expect(await codeOf(browser), role).toEqual([403, "no_permission"]);
    }
    expect(await codeOf(server.visitor())).toEqual([401, "session_missing"]);
    const { token } = await owner.api.integrations.createKey.mutate({
      name: "x",
      scopes: ["rooms.view"],
      expiresAt: null,
    });
    expect(await codeOf(server.visitor(), { authorization: `Bearer ${token}` })).toEqual([403, "no_permission"]);
  });

  it.each(LANGUAGES)("is written in $code around the descriptions", async ({ code, tag, dir }) => {
    const body = await page({ "accept-language": `xx, ${tag};q=0.8, en;q=0.5` });
    const title = translator(code)("legacyDocs.title");
    expect(body).toContain(`<html lang="${tag}" dir="${dir}">`);
    expect(body).toContain(`<h1>${title}</h1>`);
    expect(body).toContain('<main lang="en" dir="ltr">');
    expect(await page({ "accept-language": "en" }, `?language=${code}`)).toBe(body);
  });

  it("is in English for an unknown language", async () => {
    for (const calls of ["", "xx", "en-GB, de"])
      expect(await page({ "accept-language": calls })).toContain('lang="en"');
  });

  it("has a stylesheet of its own, light and dark", async () => {
    const { statusCode, headers, body } = await server.visitor().http("GET", "/manage/docs.css");
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/css; charset=utf-8"]);
    expect(body).toContain("prefers-color-scheme: dark");
  });
});
