import { unlockRecordsOutput } from "@innkey/shared/schemas/access/unlocks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";
import { UnlockIngest } from "../../../domain/access/unlocks/ingest.ts";

let server: TestServer;
let ingest: UnlockIngest;
let hotel: TestHotel;
let desk: Browser;
let room: number;
let pool: number;
let seq = 0;

beforeAll(async () => {
  server = await createTestServer();
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
const staff = async (capabilities: ("unlocks.view" | "alerts.view")[], roomIds: number[]) => {
  const operator = await server.createOperator(hotel, { role: "staff", capabilities, roomIds });
  return { operator, browser: await server.loginAs(operator) };
};
const stranger = async () => server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));

describe("GET /api/rooms/:roomId/unlocks", () => {
  const read = (query = "", browser = desk, id: unknown = room) =>
    browser.http("GET", `/api/rooms/${id}/unlocks${query}`);

  it("returns the same pages as the procedure", async () => {
    for (let i = 0; i < 3; i += 1) await open();
    const first = await read("?limit=2&style=card&success=true");
    expect(first.headers["cache-control"]).toBe("private, no-store");
    const page = unlockRecordsOutput.parse(first.json());
    expect(page).toEqual(await desk.api.unlocks.list.query({ roomId: room, limit: 2, style: "card", success: true }));
    const rest = unlockRecordsOutput.parse((await read(`?limit=2&cursor=${page.nextCursor}`)).json());
    expect([...page.records, ...rest.records].map(({ id }) => id)).toHaveLength(3);
    expect((await read("?success=false")).json()).toEqual({ records: [], nextCursor: null });
  });

  it("refuses invalid parameters", async () => {
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

  it("is refused to strangers", async () => {
    await open();
    expect((await read("", server.visitor())).json()).toMatchObject({ code: "session_missing" });
    expect((await read("", await stranger())).json()).toMatchObject({ code: "not_found" });
    expect((await read("", (await staff(["unlocks.view"], [pool])).browser)).json()).toMatchObject({
      code: "not_found",
    });
    expect((await read("", (await staff([], [room])).browser)).json()).toMatchObject({ code: "no_permission" });
  });
});
