import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let seeded: SeededHotel;
let client: ManageClient;

beforeAll(async () => {
  server = await createTestServer();
  seeded = await seedTestHotel(server, "Quince");
  client = await manageLogin(server, seeded.owner);
});
afterAll(() => server.close());

const hotel = () => seeded.ownerDesk.api.hotel.get.query();
const LOCATION = { name: "Harbour", address: "1 Quay", tel: "030 123", latitude: "53.5", longitude: 9.9 };

describe("the hotel's data", () => {
  it("is changed and read back; fields left out keep their value", async () => {
    const before = await hotel();
    await answerOf(client, "room/setHotelData", { ...LOCATION, weekend_days: ["6", 7] });
    expect(await hotel()).toEqual({
      ...before,
      ...LOCATION,
      tel: "030123",
      latitude: 53.5,
      weekendNights: [6, 7],
    });
    expect(await answerOf(client, "room/hotelInfo")).toEqual({
      id: seeded.ids.hotelId,
      name: "Harbour",
      address: "1 Quay",
      tel: "030123",
      latitude: 53.5,
      longitude: 9.9,
      timezone: before.timeZone,
      currency: before.currency,
      room_count: 2,
      lock_count: 2,
    });
  });

  it("has no place when none is given", async () => {
    await answerOf(client, "room/setHotelData", { ...LOCATION, latitude: null, longitude: "" });
    expect(await hotel()).toMatchObject({ latitude: null, longitude: null });
  });

  it("names each invalid field, and keeps its currency once there are orders", async () => {
    const { name: _name, ...nameless } = LOCATION;
    const wrong = { ...LOCATION, timezone: "Mars/Base", latitude: 91, weekend_days: [8] };
    expect((await refusalOf(client, "room/setHotelData", nameless)).data.fields).toHaveProperty("name");
    expect(Object.keys((await refusalOf(client, "room/setHotelData", wrong)).data.fields ?? {})).toEqual([
      "weekend_days",
    ]);
    const { weekend_days: _days, ...elsewhere } = wrong;
    const { data } = await refusalOf(client, "room/setHotelData", elsewhere);
    expect(Object.keys(data.fields ?? {}).sort()).toEqual(["latitude", "timezone"]);
    const currency = (await hotel()).currency === "JPY" ? "EUR" : "JPY";
    expect(await refusalOf(client, "room/setHotelData", { ...LOCATION, currency })).toMatchObject({
      errno: 100_008,
      data: { reason: "state_conflict" },
    });
  });
});

describe("the information for guests", () => {
  it("is changed in part and read back", async () => {
    await answerOf(client, "room/setHotelInfo", { wifi_name: "Guests", wifi_password: "pw", notice: "Hush" });
    const change = { check_in_time: "15:30", breakfast: { from: "06:45", price: "12.50" }, notice: "" };
    await answerOf(client, "room/setHotelInfo", change);
    const { breakfastTo, checkOutTime } = await hotel();
    expect(await answerOf(client, "room/getHotelInfo")).toEqual({
      check_in_time: "15:30",
      check_out_time: checkOutTime,
      breakfast: { from: "06:45", to: breakfastTo, price: "12.50" },
      wifi_name: "Guests",
      wifi_password: "pw",
      notice: "",
    });
    expect(await hotel()).toMatchObject({ breakfastPriceMinor: 1_250 });
  });

  it("is refused with the field's name in the old format", async () => {
    const fieldsOf = async (payload: object) =>
      Object.keys((await refusalOf(client, "room/setHotelInfo", { ...payload })).data.fields ?? {});
    expect(await fieldsOf({ check_in_time: "25:00" })).toEqual(["check_in_time"]);
    expect(await fieldsOf({ breakfast: { to: "noon" } })).toEqual(["breakfast"]);
    expect(await fieldsOf({ breakfast: { price: "1.005" } })).toEqual(["breakfast"]);
  });
});

describe("breakfast", () => {
  it("is listed by guest, ticked off and taken back", async () => {
    const { stayGuestId } = seeded.ids;
    const list = () => answerOf<{ list: object[]; total: number }>(client, "room/hotelBreakFastList");
    const guest = { manage_id: stayGuestId, guest_name: "Quince guest", room_name: "Quince 101", breakfast: 1 };
    expect(await list()).toMatchObject({ total: 1, list: [{ ...guest, used: 0, used_time: null }] });
    await answerOf(client, "room/hotelBreakFast", { manage_id: stayGuestId, used: true });
    const now = Math.floor(server.clock.now().getTime() / 1000);
    expect((await list()).list).toEqual([{ ...guest, used: 1, used_time: now }]);
    expect((await seeded.ownerDesk.api.breakfast.list.query({})).guests).toMatchObject([
      { stayGuestId, usedAt: expect.any(String) },
    ]);
    const today = server.clock.now().toISOString().slice(0, 10);
    await answerOf(client, "room/hotelBreakFast", { manage_id: stayGuestId, date: today, used: 0 });
    expect((await list()).list).toMatchObject([{ used: 0 }]);
    expect(await answerOf(client, "room/hotelBreakFastList", { date: "2026-01-01", page: 2 })).toEqual({
      list: [],
      total: 0,
      page: 2,
      page_size: 20,
    });
  });

  it("is refused for guests without breakfast and for a future morning", async () => {
    const { stayGuestId } = seeded.ids;
    expect((await refusalOf(client, "room/hotelBreakFast", { manage_id: 2_000_000_000, used: 1 })).errno).toBe(100_007);
    const tomorrow = new Date(server.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    const { data } = await refusalOf(client, "room/hotelBreakFast", {
      manage_id: stayGuestId,
      date: tomorrow,
      used: 1,
    });
    expect(Object.keys(data.fields ?? {})).toEqual(["date"]);
  });
});
