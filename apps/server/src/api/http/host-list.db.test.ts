import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { isOwnName } from "./site-protection.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ trustProxy: false });
});
afterAll(() => server.close());

const SETUP = {
  hotel: { name: "Evil Arms", timeZone: "Europe/Berlin", currency: "EUR" },
  owner: { name: "Eve", account: "eve@evil.example", password: "a password of hers" },
};
const OWN = [
  "localhost:3000",
  "127.0.0.1:3000",
  "192.168.1.5",
  "[::1]:3000",
  "[fd12:3456::1]",
  "desk-pc:3000",
  "innkey",
  "desk-pc.local",
  "console.hotel.lan",
  "innkey.fritz.internal",
  "Desk.Example:8443",
];
const FOREIGN = [
  "evil.example",
  "evil.example:3000",
  "192.168.1.5.evil.example",
  "localhost.evil.example",
  "x.fritz.box",
  "user@localhost",
  "localhost/x",
  "local host",
  "desk-pc?x",
  "l\u00f6calhost",
];

describe("a request under a foreign host name", () => {
  const ask = (host: string, method: "GET" | "POST", url: string, headers: Record<string, string> = {}) =>
    server.app.inject({ method, url, headers: { host, ...headers }, ...(method === "POST" && { payload: {} }) });

  it.each(FOREIGN)("is refused as %s on every path", async (host) => {
    for (const url of ["/", "/login", "/metrics", "/api/trpc/auth.status", "/api/board", "/files/x", "/healthz"]) {
      expect((await ask(host, "GET", url)).statusCode, url).toBe(421);
    }
    for (const url of ["/api/trpc/auth.login", "/manage/login", "/auth/login", "/api/exports"]) {
      expect((await ask(host, "POST", url, { "x-innkey": "1", origin: `http://${host}` })).statusCode, url).toBe(421);
    }
  });

  it("cannot set up a hotel", async () => {
    const set = (host: string) =>
      server.app.inject({
        method: "POST",
        url: "/api/trpc/setup.create",
        headers: { host, origin: `http://${host}`, "x-innkey": "1" },
        payload: SETUP,
      });
    const refused = await set("evil.example");
    expect([refused.statusCode, refused.json().error.data.innkey.code]).toEqual([421, "unknown_host"]);
    expect(await server.database.prisma.hotel.count()).toBe(0);
    expect((await set("192.168.1.5:3000")).statusCode).toBe(200);
  });

  it("gets an explanation in words", async () => {
    const page = await ask("evil.example", "GET", "/", { accept: "text/html", "accept-language": "de-DE,de;q=0.9" });
    expect([page.statusCode, page.headers["content-type"]]).toEqual([421, "text/plain; charset=utf-8"]);
    expect(page.body).toContain("ALLOWED_HOSTS");
    expect(page.body).not.toContain("evil.example");
  });

  it.each(OWN)("is answered under the own name %s", async (host) => {
    expect((await ask(host, "GET", "/login")).statusCode).toBe(200);
    expect((await ask(host, "GET", "/metrics")).statusCode).toBe(200);
  });
});

it("recognises an own name only as a whole", () => {
  const names = new Set(["console.hotel.example"]);
  expect(isOwnName("console.hotel.example:443", names)).toBe(true);
  for (const host of ["hotel.example", "xconsole.hotel.example", "console.hotel.example.evil.example"]) {
    expect(isOwnName(host, names), host).toBe(false);
  }
});
