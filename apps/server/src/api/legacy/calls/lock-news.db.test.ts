import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface Messages {
  list: { id: number; type: string; title: string; content: string; read: number; lock_id: number | null }[];
  total: number;
  unread: number;
}
interface History {
  list: { manage_id: number; name: string; room_name: string; check_in_time: number; check_out_time: number | null }[];
  total: number;
}

let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "own");
  client = await manageLogin(server, hotel.owner);
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const now = (): number => Math.floor(server.clock.now().getTime() / 1000);
const alerts = (by = client) => answerOf<Messages>(by, "lock/messageList");
const history = (payload: object = {}) => answerOf<History>(client, "lock/checkHistory", { ...payload });

describe("alerts", () => {
  it("are written in the caller's language, and count as read once listed or resolved", async () => {
    const { lockId, alertId } = hotel.ids;
    const at = { firstAt: server.clock.now(), lastAt: server.clock.now() };
    const { prisma } = server.database;
    const battery = await prisma.alert.create({
      data: { hotelId: hotel.hotel.id, kind: "battery_low", lockId, params: { power: 12 }, ...at },
    });
    const failed = await prisma.alert.create({
      data: { hotelId: hotel.hotel.id, kind: "command_failed", lockId, params: { error: "full" }, ...at },
    });
    const { list, total, unread } = await alerts();
    expect([list.map(({ id }) => id), total, unread]).toEqual([[failed.id, battery.id, alertId], 3, 3]);
    expect(list[1]).toEqual({
      ...{ id: battery.id, type: "battery_low", title: "Low battery", read: 0, lock_id: lockId, create_time: now() },
      content: "The battery is low (12%). Replace it soon.",
    });
    expect(list[0]?.content).toBe(
      "A command to the lock failed. The lock’s memory is full. Revoke keys that are no longer needed.",
    );
    const german = await manageLogin(server, hotel.owner, { language: "German" });
    expect((await alerts(german)).list[1]?.content).toContain("12");
    expect((await alerts(german)).list[1]?.title).not.toBe("Low battery");
    await hotel.ownerDesk.api.alerts.markRead.mutate({ ids: [failed.id] });
    await prisma.alert.update({ where: { id: battery.id }, data: { resolvedAt: server.clock.now() } });
    const later = await alerts();
    expect([later.list.map(({ read }) => read), later.unread]).toEqual([[1, 1, 0], 1]);
  });

  it("are deleted one or several at a time", async () => {
    const [first, second, third] = (await alerts()).list.map(({ id }) => id);
    expect(await answerOf(client, "lock/deleteMessage", { ids: [first, second] })).toEqual({});
    expect(await answerOf(client, "lock/deleteMessage", { id: third })).toEqual({});
    expect(await alerts()).toMatchObject({ list: [], total: 0, unread: 0 });
    server.clock.advance(3000);
    expect((await refusalOf(client, "lock/deleteMessage", { id: third })).errno).toBe(100_007);
    expect((await refusalOf(client, "lock/deleteMessage")).data.fields).toHaveProperty("id");
  });
});

describe("check-ins and check-outs", () => {
  it("are listed with guest, room, time and operator", async () => {
    const { stayGuestId, stayId, roomId, freeRoomId } = hotel.ids;
    const [party] = (await history()).list;
    expect(party).toMatchObject({
      manage_id: stayGuestId,
      room_name: "own 101",
      name: "own guest",
      check_out_time: null,
    });
    expect(party).toHaveProperty("operator", expect.stringMatching(/^owner /));
    await hotel.ownerDesk.api.stays.checkOut.mutate({ stayId, confirmUnpaid: true });
    const afterCheckOut = await history({ room_id: roomId });
    expect(afterCheckOut).toMatchObject({ total: 1, list: [{ check_out_time: now() }] });
    expect(await history({ start: now(), end: now() + 1 })).toMatchObject({ total: 1 });
    expect(await history({ start: now() + 1 })).toMatchObject({ total: 0, list: [] });
    expect(await history({ room_id: freeRoomId })).toMatchObject({ total: 0, list: [] });
    expect(await history({ page: 2 })).toMatchObject({ total: 1, list: [] });
  });

  it("can be paged only up to a limit", async () => {
    const beyond = await refusalOf(client, "lock/checkHistory", { page: 51, page_size: 200 });
    expect([beyond.errno, Object.keys(beyond.data.fields ?? {})]).toEqual([100_001, ["page"]]);
    const { errno, data } = await refusalOf(client, "lock/checkHistory", { start: "yesterday" });
    expect([errno, Object.keys(data.fields ?? {})]).toEqual([100_001, ["start"]]);
    expect((await refusalOf(client, "lock/checkHistory", { room_id: 999_999 })).errno).toBe(100_007);
  });
});
