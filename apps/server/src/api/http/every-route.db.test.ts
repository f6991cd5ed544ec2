import { get, type IncomingMessage } from "node:http";
import { type Capability, GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { errorReply } from "@innkey/shared/schemas/error-reply";
import type { LightMyRequestResponse } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manageClient } from "../../../test/clients/manage-client.ts";
import { addressOf, type Route, routesOf } from "../../../test/harness/routes.ts";
import { type SeededHotel, seedTestHotel } from "../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { endpoints } from "../legacy/registry.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";

/** Checks that apply to every answer and every write, over all routes that the server has. */
let server: TestServer;
let hotel: SeededHotel;
let routes: Route[];
let pictureId: string;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "walk");
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "tan" } })
    .png()
    .toBuffer();
  const scope = await server.scopeOf(hotel.owner);
  pictureId = (await server.services.files.store(scope, "room", picture)).id;
  // Fastify lists all paths below a prefix as one wildcard, so we add examples.
  routes = [
    ...routesOf(server.app),
    { method: "POST", path: "/manage/nothing" },
    { method: "POST", path: "/linQuan/nothing" },
    { method: "GET", path: "/api/nothing" },
    { method: "GET", path: "/assets/gone.js" },
    { method: "GET", path: "/room" },
  ];
});
afterAll(() => server.close());

const EVENTS = /\/events$/;
/** Exports of a person's data and of rosters are recorded in the audit. */
const JOURNALLED = /^\/api\/(privacy|rosters)\//;
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Returns a link that opens the picture without a session. */
function linkedPath(): string {
  const file = { hotelId: hotel.ids.hotelId, id: pictureId };
  return `/manage/files/${file.hotelId}/${file.id}?${server.services.fileLinks.sign(file, 60)}`;
}

function expectHeaders(headers: Readonly<Record<string, unknown>>, what: string): void {
  expect(headers, what).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-permitted-cross-domain-policies": "none",
  });
  expect(headers["cross-origin-resource-policy"], what).toMatch(/^(same-origin|cross-origin)$/);
  const policy = String(headers["content-security-policy"]);
  for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    expect(policy, what).toContain(directive);
  }
  expect(policy, what).not.toMatch(/unsafe|\*|https?:(?!\/\/localhost:)/);
  for (const name of ["server", "x-powered-by", "access-control-allow-origin"]) {
    expect(headers, what).not.toHaveProperty(name);
  }
}

/** Returns the start of a response that doesn't end. */
function startResponse(url: string, cookie: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { cookie: `${SESSION_COOKIE}=${cookie}` } }, resolve).on("error", reject);
  });
}

describe("every response", () => {
  it.each(["a stranger", "the owner"])("has the security headers, for %s", async (who) => {
    expect(routes.length).toBeGreaterThan(80);
    const browser = who === "the owner" ? hotel.ownerDesk : server.visitor();
    const { cookie } = browser;
    for (const route of routes.filter(({ path }) => !EVENTS.test(path))) {
      const what = `${route.method} ${route.path}`;
      const answer = await browser.http(route.method as "GET", addressOf(route), { headers: { accept: "text/html" } });
      expectHeaders(answer.headers, what);
      if (answer.rawPayload.length > 0) {
        // All text is declared as UTF-8, or is JSON, which is always UTF-8.
        expect(String(answer.headers["content-type"]), what).toMatch(
          /^(text\/\w+; ?(version=[\d.]+; )?charset=utf-8|application\/json(; charset=utf-8)?|image\/|application\/(pdf|zip))$/i,
        );
      }
      expect(answer.body, what).not.toMatch(/node_modules|at .+\.ts:\d+|SELECT |prisma/i);
      browser.cookie = cookie;
    }
  });

  it("has the security headers when it is a file, a page or a stream of events", async () => {
    const { ids, ownerDesk } = hotel;
    for (const path of [
      `/api/receipts/${ids.stayId}.pdf?language=en`,
      `/api/privacy/guests/${ids.guestId}`,
      `/files/${pictureId}`,
      linkedPath(),
      "/manage/docs",
      "/manage/docs.css",
      "/api/board",
    ]) {
      const answer = await ownerDesk.http("GET", path);
      expect(answer.statusCode, path).toBe(200);
      expectHeaders(answer.headers, path);
    }
    const origin = await server.listen();
    const stream = await startResponse(`${origin}/api/events`, ownerDesk.cookie);
    expect([stream.statusCode, stream.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expectHeaders(stream.headers, "/api/events");
    stream.destroy();
  });

  it("can be embedded by other origins only when a link opens it without a session", async () => {
    const policyOf = async (path: string) =>
      (await hotel.ownerDesk.http("GET", path)).headers["cross-origin-resource-policy"];
    expect(await policyOf(linkedPath())).toBe("cross-origin");
    expect(await policyOf(`/files/${pictureId}`)).toBe("same-origin");
  });

  it("asks for https for a year where the request used it, and never on a plain network", async () => {
    for (const route of routes.filter(({ path, method }) => method === "GET" && !EVENTS.test(path))) {
      const [plain, secure] = await Promise.all(
        ["http", "https"].map((scheme) =>
          server.visitor().http("GET", addressOf(route), { headers: { "x-forwarded-proto": scheme } }),
        ),
      );
      expect(plain?.headers["strict-transport-security"], route.path).toBeUndefined();
      expect(secure?.headers["strict-transport-security"], route.path).toBe("max-age=31536000; includeSubDomains");
    }
  });

  it("forbids inline code on the page and lists what the page may load", async () => {
    const { headers } = await server.visitor().http("GET", "/room", { headers: { accept: "text/html" } });
    const policy = String(headers["content-security-policy"]);
    for (const directive of [
      "script-src 'self'",
      "script-src-attr 'none'",
      "style-src-attr 'none'",
      "object-src 'none'",
      "require-trusted-types-for 'script'",
    ]) {
      expect(policy.split("; ")).toContain(directive);
    }
    expect(headers["permissions-policy"]).toContain("camera=(self)");
    expect(headers["permissions-policy"]).toContain("microphone=()");
  });

  it("echoes nothing to TRACE", async () => {
    for (const path of ["/", "/api/board", "/api/trpc/auth.status", "/linQuan/nothing"]) {
      const answer = await server.app.inject({ method: "TRACE" as "GET", url: path, headers: { "x-mark": "echoed" } });
      expect(answer.body, path).not.toContain("echoed");
      expect(answer.statusCode, path).toBeGreaterThanOrEqual(400);
    }
  });
});

describe("every contract", () => {
  /** Routes whose answers old clients fix. */
  const ENVELOPE = /^\/(manage|linQuan|auth|devices)\//;

  it("belongs to a route, and every route has a contract", () => {
    // Fastify lists the handler of all other paths, which is no route, as one of every method.
    const listed = routesOf(server.app)
      .filter(({ path }) => path !== "/*")
      .map(({ method, path }) => `${method} ${path}`);
    expect(listed.length).toBeGreaterThan(80);
    expect(listed.filter((route) => !server.app.contracts.has(route))).toEqual([]);
  });

  it("describes what the owner reads, and every refusal has the same shape", async () => {
    let described = 0;
    for (const [name, contract] of server.app.contracts) {
      const [method = "", path = ""] = name.split(" ");
      if (typeof contract === "string" || !["GET", "POST", "PUT"].includes(method)) continue;
      if (EVENTS.test(path) || ENVELOPE.test(path)) continue;
      for (const browser of [server.visitor(), hotel.ownerDesk]) {
        const answer = await browser.http(method as "GET", addressOf({ method, path }));
        const contractAnswer = contract.answers[answer.statusCode];
        if (answer.statusCode >= 400) {
          expect(errorReply.safeParse(answer.json()).error, `${name}: ${answer.body}`).toBeUndefined();
        } else if (contractAnswer && "jsonSchema" in contractAnswer && contractAnswer.jsonSchema) {
          expect(contractAnswer.jsonSchema.safeParse(answer.json()).error, name).toBeUndefined();
        }
        described += 1;
      }
    }
    expect(described).toBeGreaterThan(15);
  });
});

describe("a write that another site makes an owner's browser send", () => {
  /** Sends what a form or script of another site could send with the cookie. */
  const sendForged = (
    route: Route,
    cookie: string | undefined,
    address = addressOf(route),
  ): Promise<LightMyRequestResponse> =>
    server.app.inject({
      method: route.method as "POST",
      url: address,
      headers: {
        host: "desk.example",
        origin: "http://evil.example",
        "sec-fetch-site": "cross-site",
        "content-type": "text/plain",
        "x-forwarded-for": "203.0.113.7",
        ...(cookie && { cookie: `${SESSION_COOKIE}=${cookie}` }),
      },
      payload: "{}",
    });

  it("is refused under /api and finds no session elsewhere", async () => {
    const writes = routes.filter(({ method }) => !SAFE.has(method));
    expect(writes.length).toBeGreaterThan(60);
    for (const route of writes) {
      const what = `${route.method} ${route.path}`;
      const answer = await sendForged(route, hotel.ownerDesk.cookie);
      if (route.path.startsWith("/api/")) {
        expect(answer.statusCode, what).toBe(403);
        expect(answer.body, what).toContain("cross_site");
        const escaped = await sendForged(route, hotel.ownerDesk.cookie, addressOf(route).replace("/api/", "/%61pi/"));
        expect([escaped.statusCode, escaped.headers["cache-control"]], what).toEqual([403, "no-store"]);
      } else {
        const without = await sendForged(route, undefined);
        expect([answer.statusCode, answer.headers["set-cookie"]], what).toEqual([without.statusCode, undefined]);
      }
    }
    expect(await hotel.ownerDesk.api.auth.me.query()).toMatchObject({ name: expect.any(String) });
  });

  it("finds no session in an old client's envelope either", async () => {
    const old = manageClient(server.app);
    const plainInject = server.app.inject.bind(server.app);
    const withCookie: typeof server.app.inject = ((options: { headers: Record<string, string> }) =>
      plainInject({
        ...options,
        headers: { ...options.headers, cookie: `${SESSION_COOKIE}=${hotel.ownerDesk.cookie}` },
      })) as never;
    const carrying = manageClient({ inject: withCookie } as never);
    for (const { path, open } of endpoints.filter((endpoint) => !endpoint.open)) {
      expect(open).toBeFalsy();
      const call = path.replace("/manage/", "");
      const [with_, without] = [await carrying.call(call), await old.call(call)];
      expect([with_.errno, with_.errno === 0], call).toEqual([without.errno, false]);
    }
  });
});

describe("a read", () => {
  it("changes nothing, so links from other sites do no harm", async () => {
    const count = async () =>
      (await server.database.pool.query<{ seq: string }>("SELECT sum(audit_seq)::text AS seq FROM hotel_state")).rows;
    const before = await count();
    for (const route of routes.filter(({ method, path }) => method === "GET" && !EVENTS.test(path))) {
      if (JOURNALLED.test(route.path)) continue;
      await hotel.ownerDesk.http("GET", addressOf(route));
    }
    expect(await count()).toEqual(before);
  });
});

describe("a route that names its permission", () => {
  const opened = () =>
    [...server.app.contracts].flatMap(([route, contract]) => {
      if (typeof contract === "string" || !contract.opens || route.startsWith("HEAD")) return [];
      return [{ route, method: contract.method as "GET", capabilities: [contract.opens.capability].flat() }];
    });

  /** Calls the route about something that exists, as staff of all rooms with these permissions, or as the owner if staff can't have them. */
  async function statusFor(route: string, method: "GET", capabilities: readonly Capability[]): Promise<number> {
    const { ids } = hotel;
    const roomIds = [ids.roomId, ids.freeRoomId];
    const isOwners = capabilities.some((name) => !GRANTABLE_CAPABILITIES.includes(name));
    const desk = isOwners
      ? hotel.ownerDesk
      : await server.loginAs(
          await server.createOperator(hotel.hotel, { role: "staff", capabilities: [...capabilities], roomIds }),
        );
    const path = route
      .replace(/^\w+ /, "")
      .replace(":file", `${ids.stayId}.pdf?language=en`)
      .replace(":roomId", String(ids.roomId))
      .replace("/guests/:id", `/guests/${ids.guestId}`)
      .replace("/rosters/:id", "/rosters/2147483647")
      .replace("/exports/:id", `/exports/${ids.exportId}`);
    const payload = JSON.stringify({ list: "rooms", columns: ["name"], format: "csv" });
    const options = (method as string) === "POST" ? { headers: { "content-type": "application/json" }, payload } : {};
    return (await desk.http(method, path, options)).statusCode;
  }

  it("refuses those who lack it, and nobody else", async () => {
    expect(opened().length).toBeGreaterThan(5);
    for (const { route, method, capabilities } of opened()) {
      const others = GRANTABLE_CAPABILITIES.filter((name) => !capabilities.includes(name));
      expect([route, await statusFor(route, method, others)]).toEqual([route, 403]);
      // An export needs the permission of its list, too.
      const enough = route === "POST /api/exports" ? [...capabilities, "rooms.view" as const] : capabilities;
      expect([route, await statusFor(route, method, enough)]).not.toEqual([route, 403]);
    }
  });
});
