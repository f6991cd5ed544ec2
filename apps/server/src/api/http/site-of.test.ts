import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { siteOf } from "./request-context.ts";

/** Returns the console's site for a request behind a proxy. */
async function siteFor(publicUrl: string | undefined, host: string, headers: Record<string, string> = {}) {
  const app = Fastify({ trustProxy: true });
  app.get("/", async (request) => ({ site: siteOf(request, publicUrl) }));
  const response = await app.inject({ url: "/", headers: { host, ...headers } });
  await app.close();
  return response.json().site;
}

describe("with PUBLIC_URL", () => {
  const PUBLIC = "https://desk.example/console";
  const SITE = { origin: "https://desk.example", rpId: "desk.example" };

  it("is that site, whatever host name a proxy sends", async () => {
    expect(await siteFor(PUBLIC, "desk.example")).toEqual(SITE);
    expect(await siteFor(PUBLIC, "desk.example", { "x-forwarded-proto": "https" })).toEqual(SITE);
    expect(await siteFor(PUBLIC, "web:3000", { origin: "https://desk.example" }), "the host was rewritten").toEqual(
      SITE,
    );
  });

  it("is null for another host name, where a passkey would be useless", async () => {
    expect(await siteFor(PUBLIC, "localhost:3000")).toBeNull();
    expect(await siteFor(PUBLIC, "localhost:3000", { origin: "http://localhost:3000" })).toBeNull();
    expect(await siteFor(PUBLIC, "other.example", { "x-forwarded-proto": "https" })).toBeNull();
    expect(await siteFor(PUBLIC, "web:3000", { origin: "https://evil.example" })).toBeNull();
    expect(
      await siteFor(PUBLIC, "web:3000", { origin: "http://desk.example" }),
      "the same host without https",
    ).toBeNull();
    expect(await siteFor(PUBLIC, "desk.example.evil.example", { "x-forwarded-proto": "https" })).toBeNull();
  });

  it("keeps its port, and is null where browsers offer no passkeys", async () => {
    const port = { origin: "https://desk.example:8443", rpId: "desk.example" };
    expect(await siteFor("https://desk.example:8443", "desk.example:8443")).toEqual(port);
    expect(await siteFor("https://desk.example:8443", "desk.example")).toBeNull();
    expect(await siteFor("http://desk.example", "desk.example"), "without https").toBeNull();
    expect(await siteFor("https://192.0.2.7", "192.0.2.7"), "a bare address").toBeNull();
    const local = { origin: "http://localhost:3000", rpId: "localhost" };
    expect(await siteFor("http://localhost:3000", "localhost:3000")).toEqual(local);
  });
});

describe("without PUBLIC_URL", () => {
  it("is the requested host, with the scheme that a proxy or the browser reports", async () => {
    const secure = { origin: "https://desk.example", rpId: "desk.example" };
    expect(await siteFor(undefined, "desk.example", { "x-forwarded-proto": "https" })).toEqual(secure);
    expect(await siteFor(undefined, "desk.example", { origin: "https://desk.example" })).toEqual(secure);
    expect(await siteFor(undefined, "desk.example")).toBeNull();
    expect(await siteFor(undefined, "desk.example", { origin: "https://evil.example" })).toBeNull();
  });
});
