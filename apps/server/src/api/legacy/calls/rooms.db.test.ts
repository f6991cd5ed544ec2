import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Quince");
  client = await manageLogin(server, hotel.owner);
});
afterAll(() => server.close());

const DAY = 86_400;
const now = () => Math.floor(server.clock.now().getTime() / 1000);
type Rooms = { list: { room_id: number; name: string; status: string }[]; total: number; counts: object };
const list = (payload: Record<string, unknown> = {}) => answerOf<Rooms>(client, "room/listNew", payload);

describe("listNew", () => {
  it("returns each room with its lock and its guests, and counts by status", async () => {
    const { roomId, freeRoomId, groupId, lockId, stayGuestId, fileId } = hotel.ids;
    await server.database.prisma.room.update({ where: { id: roomId }, data: { pictureFileId: fileId } });
    const page = await list();
    const free = {
      room_id: freeRoomId,
      name: "Quince 102",
      status: "vacant",
      manage_id: null,
      guest_name: "",
      expired: 0,
    };
    expect(page).toMatchObject({
      total: 2,
      page: 1,
      page_size: 20,
      counts: { vacant: 1, reserved: 0, checked_in: 1, dirty: 0, maintenance: 0 },
      list: [
        {
          room_id: roomId,
          name: "Quince 101",
          remark_name: "",
          category_id: groupId,
          category_name: "Quince group",
          status: "checked_in",
          lock_id: lockId,
          lock_power: null,
          lock_online: 1,
          mac_id: "02:00:00:00:01:01",
          bluetooth_name: "",
          price: "100.00",
          guest_name: "Quince guest",
          manage_id: stayGuestId,
          check_in_time: now() - DAY,
          check_out_time: now() + 2 * DAY,
          expired: 0,
        },
        { ...free, picture: "", check_in_time: null, check_out_time: null },
      ],
    });
    expect(Object(page.list[0]).picture).toContain(`/manage/files/${hotel.ids.hotelId}/${fileId}?expires=`);
  });

  it("returns the same page as the console", async () => {
    const console = await hotel.ownerDesk.api.rooms.page.query({ sort: "za" });
    const page = await list({ sort: "za" });
    expect(page.list.map(({ room_id }) => room_id)).toEqual(console.rows.map(({ id }) => id));
    expect(page.counts).toEqual(console.counts);
    expect(page.total).toBe(console.total);
  });

  it("filters by status, keyword and category, and pages", async () => {
    const { roomId, freeRoomId, groupId } = hotel.ids;
    const ids = async (payload: Record<string, unknown>) => (await list(payload)).list.map(({ room_id }) => room_id);
    expect(await ids({ status: "vacant" })).toEqual([freeRoomId]);
    expect(await ids({ keyword: "101" })).toEqual([roomId]);
    // The guest in the hotel and the guest who arrives in ten days.
    expect(await ids({ keyword: "guest" })).toEqual([roomId, freeRoomId]);
    expect(await ids({ category_id: groupId, page: 2, page_size: 1 })).toEqual([freeRoomId]);
    expect(await list({ status: "dirty", page: 3 })).toMatchObject({ list: [], total: 0, counts: { vacant: 1 } });
    expect((await refusalOf(client, "room/listNew", { status: "gone" })).data.fields).toHaveProperty("status");
    expect((await refusalOf(client, "room/listNew", { page_size: 201 })).data.fields).toHaveProperty("page_size");
  });

  it("shows parties that arrive today and those past their departure", async () => {
    const { freeRoomId, roomId } = hotel.ids;
    const { api } = hotel.ownerDesk;
    const at = (days: number) => new Date((now() + days * DAY) * 1000).toISOString();
    const { stayGuestId, stayId } = await api.stays.reserve.mutate({
      roomId: freeRoomId,
      unit: "day",
      startsAt: at(0),
      endsAt: at(1),
      guests: [{ name: "Awaited", mobile: "", email: "" }],
    });
    expect((await list({ status: "reserved" })).list).toMatchObject([
      { guest_name: "Awaited", manage_id: stayGuestId },
    ]);
    await api.stays.cancel.mutate({ stayId });
    server.clock.advance(2 * DAY * 1000);
    const again = await manageLogin(server, hotel.owner);
    const { list: rooms } = await answerOf<Rooms>(again, "room/listNew", { keyword: "101" });
    expect(rooms).toMatchObject([{ room_id: roomId, expired: 1 }]);
    server.clock.advance(-2 * DAY * 1000);
  });

  it("returns only the operator's rooms", async () => {
    const clerk = await manageLogin(server, hotel.clerk);
    expect(await answerOf(clerk, "room/listNew")).toMatchObject({ list: [], total: 0, counts: { checked_in: 0 } });
    const nobody = await server.createOperator(hotel.hotel, { role: "staff" });
    expect((await refusalOf(await manageLogin(server, nobody), "room/listNew")).errno).toBe(100_006);
  });
});

describe("setRoomStatus", () => {
  it("succeeds or fails room by room, with a stable reason", async () => {
    const { roomId, freeRoomId } = hotel.ids;
    const set = (payload: object) => answerOf(client, "room/setRoomStatus", { ...payload });
    expect(await set({ room_ids: [roomId, freeRoomId], status: "dirty" })).toEqual({ updated: 2, failed: [] });
    expect((await list({ status: "dirty" })).list).toMatchObject([{ room_id: freeRoomId }]);
    const failed = [{ room_id: roomId, reason: "in_use" }];
    expect(await set({ room_ids: `${roomId},${freeRoomId}`, status: "vacant" })).toEqual({ updated: 1, failed });
    const [room] = (await set({ room_id: freeRoomId, status: "maintenance" })).failed as object[];
    expect(room).toEqual({ room_id: freeRoomId, reason: "room_taken" });
  });

  it("names missing fields, and does not find another hotel's room", async () => {
    expect((await refusalOf(client, "room/setRoomStatus", { status: "dirty" })).data.fields).toHaveProperty("room_id");
    expect((await refusalOf(client, "room/setRoomStatus", { room_id: 1 })).data.fields).toHaveProperty("status");
    const unknown = await refusalOf(client, "room/setRoomStatus", { room_id: 2_000_000_000, status: "dirty" });
    expect(unknown.errno).toBe(100_007);
  });
});

describe("allLock", () => {
  it("lists every lock by room, and finds one by room or address", async () => {
    const { lockId, roomId } = hotel.ids;
    const { list: locks, total } = await answerOf<{ list: object[]; total: number }>(client, "room/allLock");
    // Two of rooms, one of a common door, and one that is on no door yet
    expect(total).toBe(4);
    expect(locks[0]).toEqual({
      lock_id: lockId,
      room_id: roomId,
      room_name: "Quince 101",
      mac_id: "02:00:00:00:01:01",
      bluetooth_name: "",
      power: null,
      online: 1,
    });
    const response = await answerOf<{ list: object[] }>(client, "room/allLock", { keyword: "01:02" });
    expect(response.list).toMatchObject([{ room_name: "Quince 102" }]);
    expect((await answerOf<{ list: object[] }>(client, "room/allLock", { keyword: "%" })).list).toEqual([]);
  });
});

describe("categories", () => {
  it("are added, renamed, listed, and assigned to rooms", async () => {
    const { roomId, freeRoomId, groupId } = hotel.ids;
    const { id } = await answerOf(client, "room/addCategory", { name: "Sea side", sort: "0" });
    await answerOf(client, "room/addCategory", { id, name: "Sea", sort: 0 });
    await answerOf(client, "room/change/category", { room_ids: [roomId], category_id: id });
    expect((await answerOf<{ list: object[] }>(client, "room/category/list")).list).toEqual([
      { id, name: "Sea", sort: 0, room_count: 1 },
      { id: groupId, name: "Quince group", sort: 1, room_count: 1 },
    ]);
    await answerOf(client, "room/change/category", { room_ids: [freeRoomId], category_id: 0 });
    const room = await hotel.ownerDesk.api.rooms.detail.query({ roomId: freeRoomId });
    expect(room.groupId).toBeNull();
  });

  it("have unique names, and are found in their hotel only", async () => {
    expect(await refusalOf(client, "room/addCategory", { name: "Sea", sort: 1 })).toMatchObject({
      errno: 100_008,
      data: { reason: "name_taken", fields: { name: expect.any(String) } },
    });
    expect((await refusalOf(client, "room/addCategory", { name: "x" })).data.fields).toHaveProperty("sort");
    const { roomId } = hotel.ids;
    const unknownGroup = { room_ids: [roomId], category_id: 2_000_000_000 };
    expect((await refusalOf(client, "room/change/category", unknownGroup)).errno).toBe(100_007);
    const { data } = await refusalOf(client, "room/change/category", { category_id: 0 });
    expect(data.fields).toHaveProperty("room_ids");
  });
});
