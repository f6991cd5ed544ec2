import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestOperator } from "../../../test/harness/people.ts";
import { createTestServer, failure, TEST_PASSWORD, type TestServer } from "../../../test/harness/server.ts";

let server: TestServer;
let owner: TestOperator;
beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createOperator(await server.createHotel(), { role: "owner" });
});
afterAll(() => server.close());

describe("a write from another site", () => {
  const attempt = (headers: Record<string, string | undefined>) =>
    server.app.inject({
      method: "POST",
      url: "/api/trpc/auth.logout",
      headers: { host: "desk.example", "content-type": "application/json", ...headers },
    });

  it.each([
    ["without the console's header", { origin: "http://desk.example" }],
    ["from another origin", { "x-innkey": "1", origin: "http://evil.example" }],
    ["from another port", { "x-innkey": "1", origin: "http://desk.example:81" }],
    ["from an opaque origin", { "x-innkey": "1", origin: "null" }],
    ["that says it is cross-site", { "x-innkey": "1", "sec-fetch-site": "cross-site" }],
    ["from a neighbouring site", { "x-innkey": "1", origin: "http://desk.example", "sec-fetch-site": "same-site" }],
  ])("is refused %s", async (_case, headers) => {
    const response = await attempt(headers);
    expect(response.statusCode).toBe(403);
    expect(response.json().error.data.innkey.code).toBe("cross_site");
  });

  it.each([
    ["from here", { "x-innkey": "1", origin: "http://desk.example", "sec-fetch-site": "same-origin" }],
    ["from a program", { "x-innkey": "1" }],
  ])("is accepted %s", async (_case, headers) => {
    expect((await attempt(headers)).statusCode).toBe(200);
  });

  it("is refused on routes other than tRPC too", async () => {
    const response = await server.app.inject({ method: "POST", url: "/api/files?kind=room" });
    expect([response.statusCode, response.json().code]).toEqual([403, "cross_site"]);
  });
});

describe("the session cookie", () => {
  const logIn = (headers: Record<string, string> = {}) =>
    server.visitor().http("POST", "/api/trpc/auth.login", {
      headers: { "content-type": "application/json", ...headers },
      payload: JSON.stringify({ account: owner.account, password: TEST_PASSWORD }),
    });

  it("is out of reach of scripts and other sites, and does not reveal the token", async () => {
    const cookies = [(await logIn()).headers["set-cookie"] ?? []].flat();
    const session = cookies.filter((cookie) => cookie.startsWith("smart_lock_userinfo="));
    expect(session).toEqual([
      expect.stringMatching(/^smart_lock_userinfo=[\w-]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  });

  it("is Secure under https", async () => {
    const response = await logIn({ "x-forwarded-proto": "https", origin: "https://localhost" });
    expect(String(response.headers["set-cookie"])).toContain("; Secure");
  });

  it("of unknown origin counts as an ended session", async () => {
    const browser = server.visitor();
    browser.cookie = "bm90IG91cnM";
    expect(await failure(browser.api.auth.me.query())).toMatchObject({ code: "session_revoked" });
  });
});

describe("responses", () => {
  it("carry the security headers, and each page a nonce of its own", async () => {
    const [first, second] = [
      await server.visitor().http("GET", "/login"),
      await server.visitor().http("GET", "/login"),
    ];
    const policy = String(first.headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/(script-src|style-src|default-src) [^;]*unsafe/);
    expect(first.headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "DENY" });
    expect(policy).not.toBe(second.headers["content-security-policy"]);
  });

  it("under /api are never cached by the browser", async () => {
    expect((await server.visitor().http("GET", "/api/trpc/auth.status")).headers["cache-control"]).toBe("no-store");
  });

  it("to unknown paths are JSON under /api, the console elsewhere, and 404 for missing files", async () => {
    const visitor = server.visitor();
    const [api, page, file] = [
      await visitor.http("GET", "/api/nothing"),
      await visitor.http("GET", "/room/thetouristsDetails?id=1", { headers: { accept: "text/html" } }),
      await visitor.http("GET", "/assets/gone.js"),
    ];
    expect([api.statusCode, api.json().code]).toEqual([404, "not_found"]);
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(file.statusCode).toBe(404);
    const response = await visitor.http("GET", "/.well-known/openapi", { headers: { accept: "text/html" } });
    expect([response.statusCode, response.json().code]).toEqual([404, "not_found"]);
  });

  it("to a body that is too large or not JSON carry an error code of ours", async () => {
    const headers = { "content-type": "application/json" };
    const large = await server
      .visitor()
      .http("POST", "/api/trpc/auth.login", { headers, payload: "x".repeat(1_100_000) });
    expect([large.statusCode, large.json().error.data.innkey.code]).toEqual([413, "file_too_large"]);
    const broken = await server.visitor().http("POST", "/api/trpc/auth.login", { headers, payload: "{" });
    expect([broken.statusCode, broken.json().error.data.innkey.code]).toEqual([400, "invalid_input"]);
  });

  it("report whether the process is alive and ready", async () => {
    expect((await server.visitor().http("GET", "/healthz")).statusCode).toBe(200);
    expect((await server.visitor().http("GET", "/readyz")).statusCode).toBe(200);
  });
});
