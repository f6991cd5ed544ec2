import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let room: number;
let serial = 0;

const PATH = "room/tenant/update/checkIn";
const DAY = 86_400;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Quince");
  client = await manageLogin(server, hotel.owner);
});
afterAll(() => server.close());
beforeEach(async () => {
  const { rooms } = hotel.ownerDesk.api;
  const { roomId } = await rooms.save.mutate({ name: `R${++serial}`, groupId: null });
  const prices = { depositMinor: 5_000, usualMinor: 10_000, weekendMinor: 10_000 };
  await rooms.setPrices.mutate({ roomIds: [roomId], prices });
  room = roomId;
});

const now = () => Math.floor(server.clock.now().getTime() / 1000);
const booking = (fields: Record<string, unknown> = {}) => ({
  room_id: room,
  check_in_time: now(),
  check_out_time: now() + 2 * DAY,
  name: `Ann ${serial}`,
  ...fields,
});
interface Booked {
  manage_id: number;
  stay_id: number;
  order_id: number;
  total: string;
  deposit: string;
}
const enter = (fields?: Record<string, unknown>) => answerOf<Booked>(client, PATH, booking(fields));
const refused = (fields?: Record<string, unknown>) => refusalOf(client, PATH, booking(fields));
const stay = (stayId: number) => hotel.ownerDesk.api.stays.detail.query({ stayId });

describe("a new stay", () => {
  it("is checked in with everything that was entered", async () => {
    const person = {
      name: "Bo Li",
      gender: "other",
      nationality: "cn",
      birth: "1990-05-17",
      id_type: "passport",
      id_number: "E 123-456",
      mobile: 13800000009,
      email: "Bo@Guest.example",
    };
    const flags = { breakfast: 1, other_information: "Late", disable_old_cards: 0, id_card_match: "1" };
    const { customerId: customer_id } = hotel.ids;
    const booked = await enter({ ...person, ...flags, customer_id, deposit: "80.00", price: "150" });
    expect(booked).toMatchObject({ total: "150.00", deposit: "80.00" });
    expect(await stay(booked.stay_id)).toMatchObject({
      state: "checked_in",
      unit: "day",
      room: { id: room },
      startsAt: new Date(now() * 1000).toISOString(),
      endsAt: new Date((now() + 2 * DAY) * 1000).toISOString(),
      breakfast: true,
      otherInformation: "Late",
      disableOldCards: false,
      idCardMatch: true,
      customer: { id: customer_id },
      guests: [
        {
          stayGuestId: booked.manage_id,
          name: "Bo Li",
          gender: "other",
          nationality: "CN",
          birthDate: "1990-05-17",
          documentType: "passport",
          documentNumber: "E123456",
          mobile: "13800000009",
          email: "bo@guest.example",
        },
      ],
      money: { chargedMinor: 15_000, depositHeldMinor: 8_000 },
      entries: [{ id: booked.order_id, type: "room" }, { type: "deposit" }],
    });
  });

  it("costs the room's price, and takes its deposit", async () => {
    expect(await enter()).toMatchObject({ total: "200.00", deposit: "50.00" });
  });

  it("becomes a reservation with reserve, without a deposit", async () => {
    const from = now() + 5 * DAY;
    const booked = await enter({ reserve: 1, check_in_time: from, check_out_time: from + DAY });
    expect(booked).toMatchObject({ total: "100.00", deposit: "0.00" });
    expect((await stay(booked.stay_id)).state).toBe("reserved");
  });

  it("asks for confirmation before a guest gets a second room or a dirty one", async () => {
    const twice = { name: "Quince guest", mobile: "13800000001" };
    const other = await enter(twice);
    const { name: roomName } = (await stay(other.stay_id)).room;
    const { rooms } = hotel.ownerDesk.api;
    const second = await rooms.save.mutate({ name: "Second", groupId: null });
    const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
    await rooms.setPrices.mutate({ roomIds: [second.roomId], prices });
    const again = { ...twice, room_id: second.roomId };
    expect(await refused(again)).toMatchObject({
      errno: 100_009,
      data: { reason: "guest_already_in", room_name: roomName },
    });
    await rooms.setStatus.mutate({ roomIds: [second.roomId], status: "dirty" });
    expect(await refused({ room_id: second.roomId })).toMatchObject({
      errno: 100_009,
      data: { reason: "room_not_ready", room_name: "Second" },
    });
    expect((await enter({ ...again, confirm: 1 })).stay_id).not.toBe(other.stay_id);
  });

  it("is refused in a taken room, and with invalid fields", async () => {
    await enter();
    expect(await refused({ name: "Other" })).toMatchObject({ errno: 100_008, data: { reason: "room_taken" } });
    const fieldsOf = async (fields: Record<string, unknown>) => Object.keys((await refused(fields)).data.fields ?? {});
    expect(await fieldsOf({ name: "" })).toEqual(["name"]);
    expect(await fieldsOf({ room_id: null })).toEqual(["room_id"]);
    expect(await fieldsOf({ birth: "2999-01-01" })).toEqual(["birth"]);
    expect(await fieldsOf({ nationality: "Q" })).toEqual(["nationality"]);
    expect(await fieldsOf({ mobile: "abc" })).toEqual(["mobile"]);
    expect(await fieldsOf({ deposit: "-1" })).toEqual(["deposit"]);
    expect(await fieldsOf({ customer_id: 2_000_000_000 })).toEqual(["customer_id"]);
    expect(await fieldsOf({ check_out_time: now() + 60 })).toEqual(["check_out_time"]);
    expect((await refused({ room_id: 2_000_000_000 })).errno).toBe(100_007);
  });
});

describe("with a manage_id", () => {
  it("changes the guest and the stay's extras; fields left out keep their value", async () => {
    const { manage_id, stay_id, order_id } = await enter({
      mobile: "+49301",
      nationality: "DE",
      id_number: "C01X00T47",
    });
    const edit = { manage_id, name: "Ann Renamed", breakfast: 1, other_information: "Cot", id_number: "•••••••47" };
    expect(await enter(edit)).toEqual({ manage_id, stay_id, order_id, total: "200.00", deposit: "50.00" });
    expect(await stay(stay_id)).toMatchObject({
      state: "checked_in",
      breakfast: true,
      otherInformation: "Cot",
      idCardMatch: false,
      guests: [{ name: "Ann Renamed", mobile: "+49301", nationality: "DE", documentNumber: "C01X00T47" }],
    });
  });

  it("checks in a reserved party with the data that is sent now", async () => {
    const reserved = await enter({ reserve: 1, check_in_time: now() + 3600 });
    const { manage_id, stay_id, order_id } = reserved;
    await enter({ manage_id, reserve: 1, name: "Still awaited", check_in_time: now() + 3600 });
    expect(await stay(stay_id)).toMatchObject({ state: "reserved", guests: [{ name: "Still awaited" }] });
    const arrived = await enter({ manage_id, name: "Arrived", deposit: "30.00" });
    expect(arrived).toEqual({ manage_id, stay_id, order_id, total: reserved.total, deposit: "30.00" });
    expect(await stay(stay_id)).toMatchObject({ state: "checked_in", guests: [{ name: "Arrived" }] });
  });

  it("asks for confirmation before a dirty room, and has changed nothing until then", async () => {
    const { manage_id, stay_id } = await enter({ reserve: 1 });
    await hotel.ownerDesk.api.rooms.setStatus.mutate({ roomIds: [room], status: "dirty" });
    const arrival = { manage_id, name: "Arrived" };
    expect((await refused(arrival)).data.reason).toBe("room_not_ready");
    expect(await stay(stay_id)).toMatchObject({ state: "reserved", guests: [{ name: `Ann ${serial}` }] });
    await enter({ ...arrival, confirm: true });
    expect(await stay(stay_id)).toMatchObject({ state: "checked_in", guests: [{ name: "Arrived" }] });
  });

  it("is refused when the stay has another room or departure", async () => {
    const { manage_id, stay_id } = await enter();
    const moved = await refused({ manage_id, room_id: hotel.ids.freeRoomId, check_out_time: now() + 9 * DAY });
    expect(moved).toMatchObject({ errno: 100_008, data: { reason: "state_conflict" } });
    expect(Object.keys(moved.data.fields ?? {}).sort()).toEqual(["check_out_time", "room_id"]);
    expect((await stay(stay_id)).guests).toMatchObject([{ name: `Ann ${serial}` }]);
    expect((await refused({ manage_id: 2_000_000_000 })).errno).toBe(100_007);
  });
});
