import ICAL from "ical.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../../test/harness/server.ts";

const DAY_MS = 86_400_000;
const NAME = "Ada Quince";

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let rooms: number[];

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.set("2026-03-02T10:00:00.000Z");
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner", apiKeyAuth: true });
  desk = await server.loginAs(owner);
  const saved = [];
  for (const name of ["101", "102"]) saved.push(await desk.api.rooms.save.mutate({ name, groupId: null }));
  rooms = saved.map(({ roomId }) => roomId);
  const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000, hourMinor: 2_000 };
  await desk.api.rooms.setPrices.mutate({ roomIds: rooms, prices });
});

const at = (days: number): string => new Date(server.clock.now().getTime() + days * DAY_MS).toISOString();

const reserve = (room: number, from: number, to: number, unit: "day" | "hour" = "day") =>
  desk.api.stays.reserve.mutate({
    ...{ roomId: rooms[room] ?? 0, unit, startsAt: at(from), endsAt: at(to) },
    guests: [{ name: NAME, mobile: "", email: "" }],
  });

const make = (roomId: number | null, showsNames = false) =>
  desk.api.calendarFeeds.make.mutate({ name: "Booking site", roomId, showsNames });

const read = (path: string, headers: Record<string, string> = {}) =>
  server.visitor().http("GET", path as "/api/board", { headers });

/** Periods and texts of a calendar, as a calendar program sees them. */
async function eventsOf(path: string): Promise<string[]> {
  const answer = await read(path);
  expect(answer.statusCode, answer.body).toBe(200);
  return new ICAL.Component(ICAL.parse(answer.body)).getAllSubcomponents("vevent").map((component) => {
    const { startDate, endDate, summary } = new ICAL.Event(component);
    return `${startDate} ${endDate} ${summary}`;
  });
}

describe("a calendar", () => {
  it("shows when a room is taken, without names, in the nights of the hotel's zone", async () => {
    await reserve(0, 3, 5);
    await reserve(1, 1, 2);
    const { path } = await make(rooms[0] ?? 0);
    expect(await eventsOf(path)).toEqual(["2026-03-05 2026-03-07 Not available"]);
    const answer = await read(path);
    expect(answer.headers["content-type"]).toBe("text/calendar; charset=utf-8");
    expect(answer.body).not.toContain("Quince");
    const { path: all } = await make(null);
    expect(await eventsOf(all)).toEqual([
      "2026-03-03 2026-03-04 102 · Not available",
      "2026-03-05 2026-03-07 101 · Not available",
    ]);
  });

  it("shows names if it was made with them", async () => {
    await reserve(0, 3, 5);
    const { path } = await make(rooms[0] ?? 0, true);
    expect(await eventsOf(path)).toEqual([`2026-03-05 2026-03-07 ${NAME}`]);
  });

  it("shows hours of a day as hours, maintenance, and tonight for a party that hasn't left", async () => {
    await reserve(1, 1, 1 + 4 / 24, "hour");
    await desk.api.rooms.setStatus.mutate({ roomIds: [rooms[1] ?? 0], status: "maintenance", until: at(0.5) });
    const guests = [{ name: NAME, mobile: "", email: "" }];
    const period = { unit: "day" as const, startsAt: at(0), endsAt: at(1) };
    await desk.api.stays.checkIn.mutate({ roomId: rooms[0] ?? 0, ...period, guests });
    const { path } = await make(null);
    expect(await eventsOf(path)).toEqual([
      "2026-03-02 2026-03-03 102 · Out of service",
      "2026-03-02 2026-03-03 101 · Not available",
      "2026-03-03T10:00:00Z 2026-03-03T14:00:00Z 102 · Not available",
    ]);
    server.clock.advance(3 * DAY_MS);
    expect(await eventsOf(path)).toEqual(["2026-03-02 2026-03-06 101 · Not available"]);
  });

  it("no longer shows what was cancelled", async () => {
    const { stayId } = await reserve(0, 3, 5);
    const { path } = await make(null);
    expect(await eventsOf(path)).toHaveLength(1);
    await desk.api.stays.cancel.mutate({ stayId });
    expect(await eventsOf(path)).toEqual([]);
  });

  it("is sent again only if it changed", async () => {
    const { path } = await make(null);
    const first = await read(path);
    const etag = String(first.headers.etag);
    const since = String(first.headers["last-modified"]);
    expect(since).toBe("Mon, 02 Mar 2026 10:00:00 GMT");
    server.clock.advance(3_600_000);
    expect((await read(path)).body).toBe(first.body);
    const conditions: Record<string, string>[] = [{ "if-none-match": `"x", ${etag}` }, { "if-modified-since": since }];
    for (const headers of conditions) {
      const answer = await read(path, headers);
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, "", etag]);
    }
    await reserve(0, 3, 5);
    const next = await read(path, { "if-none-match": etag, "if-modified-since": since });
    expect([next.statusCode, next.headers["last-modified"]]).toEqual([200, "Mon, 02 Mar 2026 11:00:00 GMT"]);
    expect(next.headers.etag).not.toBe(etag);
    // The name of an entry tells no number of stays.
    expect(next.body).toMatch(/\nUID:[\w-]{22}@innkey\r/);
    expect((await desk.api.calendarFeeds.list.query())[0]?.lastReadAt).toBe(server.clock.now().toISOString());
  });
});

describe("its address", () => {
  it("is stored as a hash, shown once, and in no audit entry", async () => {
    const { path } = await make(null);
    const secret = path.split("/").at(-1)?.replace(".ics", "") ?? "";
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(JSON.stringify(await desk.api.calendarFeeds.list.query())).not.toContain(secret);
    const rows = await server.database.pool.query("SELECT f::text FROM calendar_feed f WHERE hotel_id = $1", [
      hotel.id,
    ]);
    expect(JSON.stringify(rows.rows)).not.toContain(secret);
    const audit = await server.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id } });
    expect(audit.map(({ action }) => action)).toContain("calendarFeed.make");
    expect(JSON.stringify(audit.map(({ after, before }) => [after, before]))).not.toContain(secret);
  });

  it("answers alike if it is wrong or revoked, or its room was removed", async () => {
    const { id, path } = await make(null);
    const room = await make(rooms[1] ?? 0);
    await desk.api.calendarFeeds.revoke.mutate({ id });
    await desk.api.rooms.delete.mutate({ roomId: rooms[1] ?? 0 });
    const wrong = path.replace(/[\w-]{43}/, "A".repeat(43));
    const answers = [];
    for (const one of [path, room.path, wrong, "/api/calendars/x.ics", "/api/calendars/x"]) {
      const { statusCode, body } = await read(one);
      answers.push([statusCode, JSON.parse(body).code]);
    }
    expect(answers).toEqual(Array.from({ length: 5 }, () => [404, "not_found"]));
    const states = (await desk.api.calendarFeeds.list.query()).map(({ state }) => state);
    expect(states).toEqual(["ended", "revoked"]);
    expect((await failure(desk.api.calendarFeeds.revoke.mutate({ id }))).code).toBe("state_conflict");
  });

  it("is limited in how often it is read, and so is guessing", async () => {
    const { path } = await make(null);
    const statuses = new Set<number>();
    for (let reads = 0; reads < 121; reads += 1) statuses.add((await read(path)).statusCode);
    expect([...statuses]).toEqual([200, 429]);
    // One reader leaves the others of the same calendar theirs.
    expect((await read(path, { "x-forwarded-for": "10.9.8.7" })).statusCode).toBe(200);
    const guesses = new Set<number>();
    for (let tries = 0; tries < 61; tries += 1) guesses.add((await read(`/api/calendars/${tries}.ics`)).statusCode);
    expect([...guesses]).toEqual([404, 429]);
  });

  it("is given out only by those who may give access to other systems, and with names only by those who manage data", async () => {
    const input = { name: "x", roomId: null, showsNames: false };
    const clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["stays.view"], roomIds: rooms });
    const clerkDesk = await server.loginAs(clerk);
    expect((await failure(clerkDesk.api.calendarFeeds.make.mutate(input))).code).toBe("no_permission");
    const without = await server.loginAs(await server.createOperator(hotel, { role: "owner", apiKeyAuth: false }));
    expect((await failure(without.api.calendarFeeds.make.mutate(input))).code).toBe("feature_off");
  });
});
