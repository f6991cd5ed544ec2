import sharp from "sharp";
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
const detail = (roomId: number) => hotel.ownerDesk.api.rooms.detail.query({ roomId });
const fieldsOf = async (path: string, payload: object) =>
  Object.keys((await refusalOf(client, path, { ...payload })).data.fields ?? {});

describe("lockInfo", () => {
  it("returns a room, its lock, its prices and the number of its keys", async () => {
    const { roomId, groupId, lockId } = hotel.ids;
    expect(await answerOf(client, "room/lockInfo", { room_id: String(roomId) })).toEqual({
      room: {
        name: "Quince 101",
        remark_name: "",
        description: "",
        bulletin: "",
        notice: "",
        picture: "",
        category: "Quince group",
        category_id: groupId,
        status: "checked_in",
        prices: {
          deposit: "100.00",
          usual_price: "100.00",
          weekend_price: "120.00",
          special: [],
          renew_price: null,
          hour_price: null,
          month_price: null,
          year_price: null,
        },
      },
      lock: {
        lock_id: lockId,
        mac_id: "02:00:00:00:01:01",
        bluetooth_name: "",
        power: null,
        online: 1,
        last_seen: null,
        firmware: "",
        driver: "mqtt",
      },
      // The guest's card and a staff card; another card was revoked.
      counts: { cards: 2, passwords: 1, faces: 1 },
    });
  });

  it("finds rooms without lock and prices, and none of other hotels", async () => {
    const { roomId } = await hotel.ownerDesk.api.rooms.save.mutate({ name: "Attic", groupId: null });
    const room = await answerOf<{ room: object; lock: null }>(client, "room/lockInfo", { room_id: roomId });
    expect(room).toMatchObject({ lock: null, room: { category: "", category_id: null, prices: null } });
    expect((await refusalOf(client, "room/lockInfo", { room_id: 2_000_000_000 })).errno).toBe(100_007);
    expect(await fieldsOf("room/lockInfo", {})).toEqual(["room_id"]);
  });
});

describe("setLockData", () => {
  it("changes only the named fields of room and lock", async () => {
    const { freeRoomId: room_id, fileId } = hotel.ids;
    const before = await detail(room_id);
    const change = { remark_name: "Corner", bulletin: "Welcome", bluetooth_name: "LOCK_102" };
    await answerOf(client, "room/setLockData", { room_id, ...change });
    expect(await detail(room_id)).toEqual({
      ...before,
      remarkName: "Corner",
      bulletin: "Welcome",
      lock: { ...before.lock, bluetoothName: "LOCK_102" },
    });
    await answerOf(client, "room/setLockData", {
      room_id,
      picture: `https://x.example/manage/files/1/${fileId}?expires=1`,
    });
    expect(await detail(room_id)).toMatchObject({ pictureFileId: fileId, remarkName: "Corner" });
    await answerOf(client, "room/setLockData", { room_id, picture: "", remark_name: "" });
    expect(await detail(room_id)).toMatchObject({ pictureFileId: null, remarkName: "", bulletin: "Welcome" });
  });

  it("takes an uploaded picture by its key", async () => {
    const { freeRoomId: room_id } = hotel.ids;
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "navy" } })
      .png()
      .toBuffer();
    const ticket = await answerOf<{ url: string; headers: Record<string, string>; key: string }>(client, "oss/token", {
      type: "room",
      content_type: "image/png",
      size: picture.length,
    });
    const { pathname, search } = new URL(ticket.url);
    const uploadAnswer = await server.app.inject({
      method: "PUT",
      url: pathname + search,
      headers: ticket.headers,
      payload: picture,
    });
    expect(uploadAnswer.statusCode).toBeLessThan(300);
    const unknown = { room_id: 2_000_000_000, picture: ticket.key };
    expect((await refusalOf(client, "room/setLockData", unknown)).errno).toBe(100_007);
    await answerOf(client, "room/setLockData", { room_id, picture: ticket.key });
    const { pictureFileId } = await detail(room_id);
    expect(pictureFileId).not.toBeNull();
    const link = await answerOf<{ room: { picture: string } }>(client, "room/lockInfo", { room_id });
    expect(link.room.picture).toContain(`/manage/files/${hotel.ids.hotelId}/${pictureFileId}?`);
  });

  it("puts another lock on the door, unless that lock is on one already", async () => {
    const { freeRoomId: room_id } = hotel.ids;
    await answerOf(client, "room/setLockData", { room_id, mac_id: "a4c138001f2b" });
    expect((await detail(room_id)).lock).toMatchObject({ mac: "A4:C1:38:00:1F:2B", bluetoothName: "" });
    const refusal = await refusalOf(client, "room/setLockData", { room_id, mac_id: "02:00:00:00:01:01" });
    expect(refusal).toMatchObject({
      errno: 100_008,
      data: { reason: "name_taken", fields: { mac_id: expect.any(String) } },
    });
  });

  it("is refused with the fields' names in the old format", async () => {
    const { freeRoomId: room_id, ...ids } = hotel.ids;
    expect(await fieldsOf("room/setLockData", { remark_name: "x" })).toEqual(["room_id"]);
    expect(await fieldsOf("room/setLockData", { room_id, mac_id: "12" })).toEqual(["mac_id"]);
    expect(await fieldsOf("room/setLockData", { room_id, picture: "nothing" })).toEqual(["picture"]);
    expect(await fieldsOf("room/setLockData", { room_id, name: "Quince 101" })).toEqual(["name"]);
    const { roomId: bare } = await hotel.ownerDesk.api.rooms.save.mutate({ name: "Bare", groupId: ids.groupId });
    const lockless = await refusalOf(client, "room/setLockData", { room_id: bare, bluetooth_name: "x" });
    expect(lockless.data.reason).toBe("lock_missing");
  });
});

describe("prices", () => {
  const prices = { deposit: "50", usual_price: 128, weekend_price: "158.50" };

  it("are set completely for rooms, and quoted line by line", async () => {
    const { freeRoomId } = hotel.ids;
    const tomorrow = new Date((now() + DAY) * 1000).toISOString().slice(0, 10);
    const special = [{ date: tomorrow, price: "99.90" }];
    await answerOf(client, "room/setPrice", { room_ids: [freeRoomId], ...prices, special, hour_price: "20.00" });
    expect((await detail(freeRoomId)).prices).toEqual({
      depositMinor: 5_000,
      usualMinor: 12_800,
      weekendMinor: 15_850,
      renewalMinor: null,
      hourMinor: 2_000,
      monthMinor: null,
      yearMinor: null,
      dates: [{ date: tomorrow, priceMinor: 9_990 }],
    });
    const period = { room_id: freeRoomId, check_in_time: now(), check_out_time: now() + 2 * DAY };
    const today = new Date(now() * 1000).toISOString().slice(0, 10);
    expect(await answerOf(client, "room/countRoomPriceNew", period)).toEqual({
      total: "227.90",
      deposit: "50.00",
      lines: [
        { date: today, price: "128.00", kind: "usual" },
        { date: tomorrow, price: "99.90", kind: "special" },
      ],
    });
    const hours = { ...period, check_out_time: now() + 3 * 3600, unit: "hour" };
    expect(await answerOf(client, "room/countRoomPriceNew", hours)).toMatchObject({
      total: "60.00",
      lines: [{ price: "60.00", kind: "hour" }],
    });
  });

  it("are refused below one unit and with more decimals than the currency has", async () => {
    const { freeRoomId } = hotel.ids;
    const room_ids = [freeRoomId];
    expect(await fieldsOf("room/setPrice", { room_ids, ...prices, usual_price: "0.99" })).toEqual(["usual_price"]);
    expect(await fieldsOf("room/setPrice", { room_ids, ...prices, deposit: "1.001" })).toEqual(["deposit"]);
    expect(await fieldsOf("room/setPrice", { ...prices })).toEqual(["room_ids"]);
    const { roomId: bare } = await hotel.ownerDesk.api.rooms.save.mutate({ name: "Priceless", groupId: null });
    const period = { room_id: bare, check_in_time: now(), check_out_time: now() + DAY };
    expect((await refusalOf(client, "room/countRoomPriceNew", period)).data.reason).toBe("price_missing");
    expect(await fieldsOf("room/countRoomPriceNew", { ...period, check_out_time: now() + 60 })).toEqual([
      "check_out_time",
    ]);
  });
});
