import { unlockRecordsOutput } from "@innkey/shared/schemas/unlocks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { SOON } from "../../../../test/harness/soon.ts";
import { UnlockIngest } from "../../../domain/access/unlocks/ingest.ts";

let server: TestServer;
let address: string;
let ingest: UnlockIngest;
let hotel: TestHotel;
let desk: Browser;
let room: number;
let pool: number;
let seq = 0;

beforeAll(async () => {
  server = await createTestServer();
  address = await server.listen();
  ingest = new UnlockIngest({ database: server.database, clock: server.clock, log: { info: () => undefined } });
});
afterAll(() => server.close());
beforeEach(async () => {
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  const hang = (name: string, mac: string) => desk.api.rooms.save.mutate({ name, groupId: null, lock: { mac } });
  ({ roomId: room } = await hang("101", MACS.room));
  ({ roomId: pool } = await hang("Pool", MACS.pool));
});

const MACS = { room: "02:00:00:00:01:01", pool: "02:00:00:00:01:02" };
/** Reports an opening of a door; with an alarm it also creates an alert. */
const open = (door: keyof typeof MACS = "room", alarm?: "tamper") =>
  ingest.events({ hotelId: hotel.id, mac: MACS[door] }, [
    { seq: ++seq, at: server.clock.now().toISOString(), style: "card", success: true, ...(alarm && { alarm }) },
  ]);
const staff = async (capabilities: ("unlocks.view" | "messages.view")[], roomIds: number[]) => {
  const operator = await server.createOperator(hotel, { role: "staff", capabilities, roomIds });
  return { operator, browser: await server.loginAs(operator) };
};
const stranger = async () => server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));

describe("GET /api/rooms/:roomId/unlocks", () => {
  const read = (query = "", browser = desk, id: unknown = room) =>
    browser.http("GET", `/api/rooms/${id}/unlocks${query}`);

  it("answers as the procedure does, page by page", async () => {
    for (let i = 0; i < 3; i += 1) await open();
    const first = await read("?limit=2&style=card&success=true");
    expect(first.headers["cache-control"]).toBe("private, no-store");
    const page = unlockRecordsOutput.parse(first.json());
    expect(page).toEqual(await desk.api.unlocks.list.query({ roomId: room, limit: 2, style: "card", success: true }));
    const rest = unlockRecordsOutput.parse((await read(`?limit=2&cursor=${page.nextCursor}`)).json());
    expect([...page.records, ...rest.records].map(({ id }) => id)).toHaveLength(3);
    expect((await read("?success=false")).json()).toEqual({ records: [], nextCursor: null });
  });

  it("refuses what it can't read", async () => {
    const bad = [
      "?limit=0",
      "?limit=x",
      "?style=spell",
      "?success=1",
      "?from=yesterday",
      "?cursor=1",
      "?limit=1&limit=2",
    ];
    for (const query of bad) expect((await read(query)).json(), query).toMatchObject({ code: "invalid_input" });
    for (const id of ["x", "0", "-1", "9999999999"]) expect((await read("", desk, id)).statusCode, id).toBe(400);
  });

  it("is closed to strangers", async () => {
    await open();
    expect((await read("", server.visitor())).json()).toMatchObject({ code: "session_missing" });
    expect((await read("", await stranger())).json()).toMatchObject({ code: "not_found" });
    expect((await read("", (await staff(["unlocks.view"], [pool])).browser)).json()).toMatchObject({
      code: "not_found",
    });
    expect((await read("", (await staff([], [room])).browser)).json()).toMatchObject({ code: "no_permission" });
  });
});

describe("GET /api/unlocks/events", () => {
  const streams: AbortController[] = [];
  afterEach(() => {
    for (const controller of streams.splice(0)) controller.abort();
  });

  interface Stream {
    status: number;
    text: () => string;
    ended: Promise<void>;
  }

  async function listen(browser: Browser, query = ""): Promise<Stream> {
    const controller = new AbortController();
    streams.push(controller);
    const headers = { cookie: `smart_lock_userinfo=${browser.cookie}` };
    const response = await fetch(`${address}/api/unlocks/events${query}`, { headers, signal: controller.signal });
    const decoder = new TextDecoder();
    let text = "";
    const ended = (async () => {
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
    })();
    ended.catch(() => undefined);
    if (response.ok) await vi.waitFor(() => expect(text).toContain(unlocks([])), SOON);
    return { status: response.status, text: () => text, ended };
  }

  const unlocks = (roomIds: number[]) => `event: unlocks\ndata: {"roomIds":${JSON.stringify(roomIds)}}\n\n`;
  const MESSAGES = "event: messages\ndata: {}\n\n";

  it("tells within a second which rooms have news, and that there are messages", async () => {
    const stream = await listen(desk);
    await open();
    await vi.waitFor(() => expect(stream.text()).toContain(unlocks([room])), SOON);
    await open("pool", "tamper");
    await vi.waitFor(() => expect(stream.text()).toContain(unlocks([pool])), SOON);
    await vi.waitFor(() => expect(stream.text()).toContain(MESSAGES), SOON);
  });

  it("tells a burst in a few words", async () => {
    const stream = await listen(desk);
    await Promise.all(Array.from({ length: 20 }, (_, i) => open(i % 2 ? "room" : "pool")));
    await open("room", "tamper");
    await vi.waitFor(() => expect(stream.text()).toContain(MESSAGES), SOON);
    expect(stream.text().split("event: unlocks").length - 1).toBeLessThan(6);
  });

  it("tells of one room only, if asked", async () => {
    const stream = await listen(desk, `?roomId=${room}`);
    await open("pool");
    await open("room");
    await vi.waitFor(() => expect(stream.text()).toContain(unlocks([room])), SOON);
    expect(stream.text()).not.toContain(String(pool));
  });

  it("tells staff of their rooms, and only what they may know", async () => {
    const both = await listen((await staff(["unlocks.view"], [pool])).browser);
    const notices = await listen((await staff(["messages.view"], [pool])).browser);
    await open("room", "tamper");
    await open("pool");
    await vi.waitFor(() => expect(both.text()).toContain(unlocks([pool])), SOON);
    await vi.waitFor(() => expect(notices.text()).toContain(MESSAGES), SOON);
    expect(both.text()).not.toContain(String(room));
    expect(both.text()).not.toContain("messages");
    expect(notices.text().split("event: unlocks")).toHaveLength(2);
  });

  it("ends when a room or the permission is taken", async () => {
    const { operator, browser } = await staff(["unlocks.view"], [room, pool]);
    const stream = await listen(browser);
    await server.database.prisma.roomGrant.deleteMany({ where: { membershipId: operator.membershipId, roomId: room } });
    await open();
    await stream.ended;
    expect(stream.text()).not.toContain(unlocks([room]));
  });

  it("is closed to strangers, and hears nothing of another hotel", async () => {
    expect((await listen(server.visitor())).status).toBe(401);
    expect((await listen((await staff([], [room])).browser)).status).toBe(403);
    expect((await listen((await staff(["unlocks.view"], [pool])).browser, `?roomId=${room}`)).status).toBe(404);
    expect((await listen(desk, "?roomId=x")).status).toBe(400);
    const elsewhere = await listen(await stranger());
    const here = await listen(desk);
    await open("room", "tamper");
    await vi.waitFor(() => expect(here.text()).toContain(MESSAGES), SOON);
    expect(elsewhere.text()).toBe(`retry: 1000\n\n${unlocks([])}`);
  });
});
