import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { board } from "@innkey/shared/schemas/rooms";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { SOON } from "../../../../test/harness/soon.ts";

let server: TestServer;
let address: string;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let room: number;

beforeAll(async () => {
  server = await createTestServer();
  address = await server.listen();
});
afterAll(() => server.close());
beforeEach(async () => {
  hotel = await server.createHotel();
  owner = await server.createOperator(hotel, { role: "owner" });
  desk = await server.loginAs(owner);
  ({ roomId: room } = await desk.api.rooms.save.mutate({ name: "101", groupId: null }));
});

const setDirty = (browser = desk) => browser.api.rooms.setStatus.mutate({ roomIds: [room], status: "dirty" });
const readBoard = (headers: Record<string, string> = {}, browser = desk) =>
  browser.http("GET", "/api/board", { headers });

describe("GET /api/board", () => {
  it("answers with the board, and 304 without a body or a further query to who has it", async () => {
    const first = await readBoard();
    expect(first.statusCode).toBe(200);
    expect(first.headers["cache-control"]).toBe("private, no-store");
    expect(board.parse(first.json()).rooms).toMatchObject([{ id: room, status: "vacant" }]);

    const etag = String(first.headers.etag);
    const queries = vi.spyOn(server.database.pool, "query");
    const second = await readBoard({ "if-none-match": etag });
    expect({ code: second.statusCode, body: second.body, etag: second.headers.etag }).toEqual({
      code: 304,
      body: "",
      etag,
    });
    expect(queries).toHaveBeenCalledTimes(1);
    queries.mockRestore();

    await setDirty();
    const third = await readBoard({ "if-none-match": etag });
    expect(third.statusCode).toBe(200);
    expect(third.json().rooms).toMatchObject([{ status: "dirty" }]);
    expect(third.headers.etag).not.toBe(etag);
  });

  it("compresses once for those who take gzip, and not for those who don't", async () => {
    const zipped = await readBoard({ "accept-encoding": "br, gzip" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    const plain = await readBoard({ "accept-encoding": "gzip;q=0, br" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    expect(zipped.headers.vary).toContain("accept-encoding");
  });

  it("is closed to strangers", async () => {
    expect((await readBoard({}, server.visitor())).json()).toMatchObject({ code: "session_missing" });
    const { etag } = (await readBoard()).headers;
    const bystander = await server.loginAs(await server.createOperator(hotel, { role: "staff", roomIds: [room] }));
    expect((await readBoard({ "if-none-match": String(etag) }, bystander)).json()).toMatchObject({
      code: "no_permission",
    });
    const other = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    expect((await readBoard({}, other)).json()).toMatchObject({ rooms: [] });
    const elsewhere = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"] });
    expect((await readBoard({ "if-none-match": String(etag) }, await server.loginAs(elsewhere))).json()).toMatchObject({
      rooms: [],
    });
  });
});

describe("GET /api/board/events", () => {
  const open: AbortController[] = [];
  afterEach(() => {
    for (const controller of open.splice(0)) controller.abort();
  });

  interface Stream {
    status: number;
    type: string | null;
    /** Everything received so far */
    text: () => string;
    ended: Promise<void>;
  }

  async function listen(browser: Browser): Promise<Stream> {
    const controller = new AbortController();
    open.push(controller);
    const headers = { cookie: `smart_lock_userinfo=${browser.cookie}` };
    const response = await fetch(`${address}/api/board/events`, { headers, signal: controller.signal });
    const decoder = new TextDecoder();
    let text = "";
    const ended = (async () => {
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
    })();
    ended.catch(() => undefined);
    return { status: response.status, type: response.headers.get("content-type"), text: () => text, ended };
  }

  const versionOf = async (): Promise<string> => (await readBoard()).json().version;
  const eventOf = (version: string) => `event: board\ndata: {"version":"${version}"}\n\n`;

  it("says where the board stands, and within a second what another desk changed", async () => {
    const other = await server.loginAs(await server.createOperator(hotel, { role: "administrator" }));
    const stream = await listen(other);
    expect(stream.type).toBe("text/event-stream; charset=utf-8");
    await vi.waitFor(async () => expect(stream.text()).toContain(eventOf(await versionOf())), SOON);
    await setDirty();
    const version = await versionOf();
    await vi.waitFor(() => expect(stream.text()).toContain(eventOf(version)), SOON);
  });

  it("ends with its session, before another word", async () => {
    const clerk = await server.createOperator(hotel, { role: "administrator" });
    const stream = await listen(await server.loginAs(clerk));
    await server.database.prisma.session.updateMany({
      where: { operatorId: clerk.id },
      data: { endedAt: server.clock.now(), endReason: "revoked" },
    });
    await setDirty();
    const version = await versionOf();
    await stream.ended;
    expect(stream.text()).not.toContain(eventOf(version));
  });

  it("ends when the permission is taken", async () => {
    const clerk = await server.createOperator(hotel, { role: "staff", capabilities: ["rooms.view"], roomIds: [room] });
    const stream = await listen(await server.loginAs(clerk));
    await server.database.prisma.membership.update({ where: { id: clerk.membershipId }, data: { capabilities: [] } });
    await setDirty();
    await stream.ended;
  });

  it("is one of forty that an operator has, in however many sessions: a further one ends the oldest", async () => {
    const clerk = await server.createOperator(hotel, { role: "administrator" });
    const sessions = await Promise.all(Array.from({ length: 5 }, () => server.loginAs(clerk)));
    const streams: Stream[] = [];
    for (const session of sessions) for (let at = 0; at < 9; at += 1) streams.push(await listen(session));
    await Promise.all(streams.slice(0, 5).map(({ ended }) => ended));
    const left = await Promise.race([streams[5]?.ended.then(() => "ended"), delay(100).then(() => "open")]);
    expect(left).toBe("open");
  });

  it("is closed to strangers, and hears nothing of another hotel", async () => {
    expect((await listen(server.visitor())).status).toBe(401);
    const bystander = await server.createOperator(hotel, { role: "staff", roomIds: [room] });
    expect((await listen(await server.loginAs(bystander))).status).toBe(403);
    const other = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
    const stream = await listen(other);
    await setDirty();
    const listener = await listen(desk);
    await vi.waitFor(() => expect(listener.text()).toContain("event: board"), SOON);
    expect(stream.text()).toMatch(/^retry: 1000\n\nevent: board\ndata: \{"version":"1"\}\n\n$/);
  });

  it("ends when the server stops", async () => {
    const stopping = await createTestServer();
    const keeper = await stopping.createOperator(await stopping.createHotel(), { role: "owner" });
    const { cookie } = await stopping.loginAs(keeper);
    const url = `${await stopping.listen()}/api/board/events`;
    const response = await fetch(url, { headers: { cookie: `smart_lock_userinfo=${cookie}` } });
    const text = response.text();
    await stopping.close();
    expect(await text).toContain("event: board");
  });
});
