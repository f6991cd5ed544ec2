import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../test/harness/server.ts";
import { createLogger } from "../../adapters/telemetry/logger.ts";

type Line = Record<string, unknown>;

const lines: Line[] = [];
const log = createLogger("info", { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
const info = pino().levels.values.info;
let server: TestServer;
let direct: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
beforeAll(async () => {
  server = await createTestServer({ log });
  direct = await createTestServer({ log, trustProxy: false });
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
});
afterAll(async () => {
  await server.close();
  await direct.close();
});

const finished = (): Line[] => lines.filter(({ msg }) => msg === "request");

it("is one line per request, with the caller and without names, query or body", async () => {
  lines.length = 0;
  const response = await desk.http("GET", "/api/trpc/guests.list?input=%7B%22keyword%22%3A%22Annabel%22%7D");
  expect(response.statusCode).toBe(200);
  await expect.poll(() => finished().length).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toEqual({
    level: info,
    time: expect.any(Number),
    requestId: response.headers["x-request-id"],
    method: "GET",
    route: "/api/trpc/guests.list",
    path: "/api/trpc/guests.list",
    status: 200,
    ms: expect.any(Number),
    address: expect.any(String),
    hotelId: hotel.id,
    operatorId: owner.id,
    msg: "request",
  });
  expect(JSON.stringify(lines)).not.toMatch(/Annabel|keyword|smart_lock/);
});

it("has the route instead of a path with a secret", async () => {
  lines.length = 0;
  await server.visitor().http("GET", "/api/calendars/Quarxberg.ics");
  await expect.poll(() => finished().length).toBe(1);
  expect(finished().map(({ path }) => path)).toEqual(["/api/calendars/:file"]);
  expect(JSON.stringify(lines)).not.toContain("Quarxberg");
});

it("has no secret of an address that is almost right, whichever method asks for it", async () => {
  const secret = "Quarxberg".padEnd(43, "-x7");
  const calendar = `/api/calendars/${secret}.ics`;
  const notices = `/devices/ttlock/${secret}`;
  const requests: [method: string, path: string][] = [
    ...["HEAD", "OPTIONS", "PROPFIND", "POST"].map((method): [string, string] => [method, calendar]),
    ...["GET", "OPTIONS", "PUT"].map((method): [string, string] => [method, notices]),
    ...[`${calendar}/`, `/${calendar}`, calendar.replace("/api", "/API"), `/calendars/${secret}`, `/${secret}`].map(
      (path): [string, string] => ["GET", path],
    ),
    ["GET", `/api/calendar/${[...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("")}`],
    ["POST", `${notices}/`],
  ];
  lines.length = 0;
  for (const [method, url] of requests) {
    await server.app.inject({ method: method as "GET", url, headers: { host: "localhost", accept: "text/calendar" } });
  }
  await expect.poll(() => finished().length).toBe(requests.length);
  expect(decodeURIComponent(JSON.stringify(lines))).not.toContain("Quarxberg");
  const { path } = finished().find(({ method }) => method === "OPTIONS") ?? {};
  expect(path).toBe("/api/calendars/(hidden)");
});

it("has the request id of the audit entry, the response and an error", async () => {
  lines.length = 0;
  const response = await desk.http("POST", "/api/trpc/groups.save", {
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ name: "North", sort: 1 }),
  });
  const id = response.headers["x-request-id"];
  const entry = await server.database.prisma.auditEntry.findFirstOrThrow({
    where: { action: { startsWith: "group" } },
  });
  expect(entry.requestId).toBe(id);
  await expect.poll(() => finished().map(({ requestId }) => requestId)).toEqual([id]);
  lines.length = 0;
  const refused = await failure(desk.api.rooms.detail.query({ roomId: 999_999 }));
  expect(refused.code).toBe("not_found");
  await expect.poll(() => finished().map(({ requestId }) => requestId)).toEqual([refused.requestId]);
});

it("takes an id from a trusted proxy only, and only a well-formed one", async () => {
  const idOf = async (from: TestServer, address: string) =>
    (await from.app.inject({ url: "/healthz", headers: { "x-request-id": address } })).headers["x-request-id"];
  expect(await idOf(server, "4bf92f3577b34da6")).toBe("4bf92f3577b34da6");
  expect(await idOf(direct, "4bf92f3577b34da6")).toMatch(/^[0-9a-f-]{36}$/);
  for (const bad of [
    "short",
    "x".repeat(65),
    "with space 1",
    'quo"te-1234',
    "line\u007fbreak",
    "' OR 1=1 --",
    "<b>12345678",
  ]) {
    expect(await idOf(server, bad), bad).toMatch(/^[0-9a-f-]{36}$/);
  }
});

it("records an internal error under the id that the user sees", async () => {
  lines.length = 0;
  const rows = server.services.system.status;
  server.services.system.status = async () => {
    throw new Error("a disk is on fire");
  };
  const refused = await failure(desk.api.system.status.query());
  server.services.system.status = rows;
  expect(refused.code).toBe("internal");
  const errorLine = lines.find(({ level }) => level === pino().levels.values.error);
  expect(errorLine).toMatchObject({ requestId: refused.requestId, err: { message: "a disk is on fire" } });
});

it("omits health checks and metrics, and names no hotel for a visitor", async () => {
  lines.length = 0;
  for (const path of ["/healthz", "/readyz", "/metrics"]) await server.visitor().http("GET", path);
  await server.visitor().http("GET", "/api/nothing");
  await expect.poll(() => finished().length).toBe(1);
  expect(finished()[0]).toMatchObject({ route: "(none)", path: "/api/nothing", status: 404 });
  expect(finished()[0]).not.toHaveProperty("hotelId");
});
