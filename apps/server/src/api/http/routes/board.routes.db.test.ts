import { gunzipSync } from "node:zlib";
import { board } from "@innkey/shared/schemas/property/rooms";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel, TestOperator } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: TestHotel;
let owner: TestOperator;
let desk: Browser;
let room: number;

beforeAll(async () => {
  server = await createTestServer();
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
  it("returns the board, and 304 without a body or another query for the current version", async () => {
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

  it("compresses once for clients that accept gzip, and not for others", async () => {
    const zipped = await readBoard({ "accept-encoding": "br, gzip" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    const plain = await readBoard({ "accept-encoding": "gzip;q=0, br" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    expect(zipped.headers.vary).toContain("accept-encoding");
  });

  it("is refused to strangers", async () => {
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
