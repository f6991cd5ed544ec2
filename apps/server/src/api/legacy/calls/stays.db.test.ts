import { ERRORS } from "@innkey/shared/errors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let rooms: [number, number];
let party: { stayId: number; stayGuestId: number; entryId: number };
let serial = 0;

const DAY = 86_400;
const NOBODY = 2_000_000_000;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Quince");
  client = await manageLogin(server, hotel.owner);
});
afterAll(() => server.close());
beforeEach(async () => {
  rooms = [await newRoom(10_000), await newRoom(13_000)];
  party = await hotel.ownerDesk.api.stays.checkIn.mutate({
    roomId: rooms[0],
    unit: "day",
    startsAt: at(0),
    endsAt: at(2 * DAY),
    guests: [{ name: `Ann ${serial}`, mobile: "", email: "" }],
  });
});

async function newRoom(usualMinor: number): Promise<number> {
  const { api } = hotel.ownerDesk;
  serial += 1;
  const mac = `02:00:00:00:09:${String(serial).padStart(2, "0")}`;
  const { roomId } = await api.rooms.save.mutate({ name: `R${serial}`, groupId: null, lock: { mac } });
  const prices = { depositMinor: 5_000, usualMinor, weekendMinor: usualMinor };
  await api.rooms.setPrices.mutate({ roomIds: [roomId], prices });
  return roomId;
}

const now = () => Math.floor(server.clock.now().getTime() / 1000);
const at = (seconds: number) => new Date((now() + seconds) * 1000).toISOString();
const stay = () => hotel.ownerDesk.api.stays.detail.query({ stayId: party.stayId });
const fieldsOf = async (path: string, payload: object) =>
  Object.keys((await refusalOf(client, path, { ...payload })).data.fields ?? {});

it("checks the permission before it looks the guest up", async () => {
  const clerk = await server.createOperator(hotel.hotel, {
    role: "staff",
    capabilities: ["stays.view"],
    roomIds: rooms,
  });
  const viewer = await manageLogin(server, clerk);
  const move = { room_id: rooms[1], check_out_time: now() + 3 * DAY, name: "Ben", card_num: "DA3CBC66", type: "air" };
  for (const path of [
    ...["exchangeHouses", "setRenew", "checkOut", "addPassenger", "sendCardEncryption", "sendCard", "addPassword"],
  ]) {
    for (const manage_id of [party.stayGuestId, NOBODY]) {
      const { errno } = await refusalOf(viewer, `room/${path}`, { ...move, manage_id });
      expect(errno, path).toBe(ERRORS.no_permission.errno);
    }
  }
});

describe("tenant/list", () => {
  type Tenants = { list: { manage_id: number; state: string }[]; total: number };
  const list = (payload: Record<string, unknown>) => answerOf<Tenants>(client, "room/tenant/list", payload);

  it("returns the guests of a room, with the time that is left of the stay", async () => {
    server.clock.advance(3_600_000);
    const { list: rows, ...page } = await list({ room_id: rooms[0] });
    server.clock.advance(-3_600_000);
    expect(page).toEqual({ total: 1, page: 1, page_size: 20 });
    expect(rows).toEqual([
      {
        manage_id: party.stayGuestId,
        room_id: rooms[0],
        room_name: `R${serial - 1}`,
        name: `Ann ${serial}`,
        gender: null,
        nationality: "",
        birth: null,
        id_number: "",
        mobile: "",
        check_in_time: now(),
        check_out_time: now() + 2 * DAY,
        remaining: 2 * DAY - 3600,
        breakfast: 0,
        other_information: "",
        state: "in",
        card_count: 0,
      },
    ]);
  });

  it("distinguishes reserved, in, expired and out, and masks documents", async () => {
    const { stayGuestId, stayId } = hotel.ids;
    const guest = { name: "Quince guest", documentNumber: "C01X00T47", birthDate: "1990-05-17", mobile: "", email: "" };
    await hotel.ownerDesk.api.guests.update.mutate({ stayGuestId, guest });
    const states = async (state: string) => (await list({ state, page_size: 200 })).list.map((row) => row.state);
    expect(new Set(await states("reserved"))).toEqual(new Set(["reserved"]));
    expect(new Set(await states("in"))).toEqual(new Set(["in"]));
    expect(await states("expired")).toEqual([]);
    expect((await list({ room_id: hotel.ids.roomId })).list).toMatchObject([
      { manage_id: stayGuestId, id_number: "•••••••47", birth: "1990-05-17", card_count: 2 },
    ]);
    const { list: reservations } = await list({ room_id: hotel.ids.freeRoomId });
    expect(reservations).toMatchObject([{ state: "reserved", remaining: 2 * DAY }]);
    await server.database.prisma.stay.update({ where: { id: stayId }, data: { endsAt: at(-60) } });
    expect((await list({ state: "expired" })).list).toMatchObject([{ manage_id: stayGuestId, remaining: 0 }]);
    await hotel.ownerDesk.api.stays.checkOut.mutate({ stayId: party.stayId, confirmUnpaid: true });
    expect((await list({ state: "out" })).list).toMatchObject([{ manage_id: party.stayGuestId, remaining: 0 }]);
    await hotel.ownerDesk.api.stays.cancel.mutate({ stayId: hotel.ids.reservedStayId });
    expect((await list({ state: "out" })).total).toBe(2);
  });

  it("refuses an unknown room", async () => {
    expect((await refusalOf(client, "room/tenant/list", { room_id: NOBODY })).errno).toBe(100_007);
    expect(await fieldsOf("room/tenant/list", { state: "gone" })).toEqual(["state"]);
  });
});

describe("limitPassword", () => {
  it("draws the door's code once, and returns the same one afterwards", async () => {
    const { stayGuestId: manage_id } = party;
    const first = await answerOf(client, "room/tenant/limitPassword", { manage_id });
    expect(first).toEqual({
      id: expect.any(Number),
      password: expect.stringMatching(/^\d{6}$/),
      start: now(),
      end: now() + 2 * DAY,
    });
    server.clock.advance(3_000);
    expect(await answerOf(client, "room/tenant/limitPassword", { manage_id })).toEqual(first);
    const { rows } = await hotel.ownerDesk.api.passcodes.list.query({ stayId: party.stayId });
    expect(rows).toMatchObject([{ id: first.id, type: "air", person: `Ann ${serial}` }]);
  });

  it("is refused without a lock, after the stay, and for an unknown guest", async () => {
    const { stayGuestId: manage_id, stayId } = party;
    expect((await refusalOf(client, "room/tenant/limitPassword", { manage_id: NOBODY })).errno).toBe(100_007);
    expect(await fieldsOf("room/tenant/limitPassword", {})).toEqual(["manage_id"]);
    const lockless = { roomId: null };
    await server.database.prisma.lock.updateMany({ where: { roomId: rooms[0] }, data: lockless });
    expect((await refusalOf(client, "room/tenant/limitPassword", { manage_id })).data.reason).toBe("lock_missing");
    await hotel.ownerDesk.api.stays.checkOut.mutate({ stayId, confirmUnpaid: true });
    expect((await refusalOf(client, "room/tenant/limitPassword", { manage_id })).data.reason).toBe("state_conflict");
  });
});

describe("exchangeHouses", () => {
  it("moves the party, for the difference or for an agreed price", async () => {
    const { stayGuestId: manage_id } = party;
    const [from, to] = rooms;
    const moved = await answerOf(client, "room/exchangeHouses", { manage_id, room_id: to, disable_old_cards: 0 });
    expect(moved).toEqual({ manage_id, room_id: to, difference: "60.00" });
    expect(await stay()).toMatchObject({ room: { id: to }, disableOldCards: false, money: { chargedMinor: 26_000 } });
    const back = { manage_id, room_id: from, price: "210" };
    expect(await refusalOf(client, "room/exchangeHouses", back)).toMatchObject({
      errno: 100_009,
      data: { reason: "room_not_ready", room_name: `R${serial - 1}` },
    });
    expect(await answerOf(client, "room/exchangeHouses", { ...back, confirm: 1 })).toMatchObject({
      difference: "-50.00",
    });
  });

  it("is refused for the same room, a taken one, and an unknown guest", async () => {
    const { stayGuestId: manage_id } = party;
    expect(await fieldsOf("room/exchangeHouses", { manage_id, room_id: rooms[0] })).toEqual(["room_id"]);
    const refusal = await refusalOf(client, "room/exchangeHouses", { manage_id, room_id: hotel.ids.roomId });
    expect(refusal.data.reason).toBe("room_taken");
    expect((await refusalOf(client, "room/exchangeHouses", { manage_id: NOBODY, room_id: rooms[1] })).errno).toBe(
      100_007,
    );
    expect(await fieldsOf("room/exchangeHouses", { manage_id })).toEqual(["room_id"]);
  });
});

describe("setRenew", () => {
  it("moves the departure, for the price of the nights or for an agreed price", async () => {
    const { stayGuestId: manage_id } = party;
    const first = await answerOf(client, "room/setRenew", { manage_id, check_out_time: now() + 3 * DAY });
    expect(first).toMatchObject({ total: "100.00", check_out_time: now() + 3 * DAY });
    expect((await stay()).entries.at(-1)).toMatchObject({ id: first.order_id, type: "renewal" });
    const agreed = { manage_id, check_out_time: now() + 4 * DAY, price: "70.00" };
    expect(await answerOf(client, "room/setRenew", agreed)).toMatchObject({ total: "70.00" });
    expect((await stay()).endsAt).toBe(at(4 * DAY));
  });

  it("is refused for an earlier departure, and without a time", async () => {
    const { stayGuestId: manage_id } = party;
    expect(await fieldsOf("room/setRenew", { manage_id, check_out_time: now() + DAY })).toEqual(["check_out_time"]);
    expect(await fieldsOf("room/setRenew", { manage_id })).toEqual(["check_out_time"]);
  });
});

describe("checkOut", () => {
  it("asks for confirmation while something is owed, uses the deposit first and leaves the room dirty", async () => {
    const { stayGuestId: manage_id } = party;
    expect(await refusalOf(client, "room/checkOut", { manage_id })).toMatchObject({
      errno: 100_009,
      data: { reason: "unpaid", room_name: `R${serial - 1}` },
    });
    const checkOutAnswer = await answerOf(client, "room/checkOut", { manage_id, confirm: 1 });
    const { entries, state } = await stay();
    expect(state).toBe("checked_out");
    expect(entries.at(-1)).toMatchObject({ id: checkOutAnswer.order_id, type: "deposit_used", amountMinor: 5_000 });
    expect(checkOutAnswer).toMatchObject({ refund: "0.00", room_status: "dirty" });
    const again = await refusalOf(client, "room/checkOut", { manage_id });
    expect(again.data.reason).toBe("state_conflict");
  });

  it("can keep holding the deposit, and then answers with the room's order", async () => {
    const { entryId } = party;
    await hotel.ownerDesk.api.folio.refund.mutate({ entryId, amountMinor: 20_000, channel: null });
    const checkOutAnswer = await answerOf(client, "room/checkOut", { manage_id: party.stayGuestId, refund_deposit: 0 });
    expect(checkOutAnswer).toEqual({ order_id: entryId, refund: "0.00", room_status: "dirty" });
    expect((await stay()).money.depositHeldMinor).toBe(5_000);
  });

  it("is refused for an unknown guest", async () => {
    expect((await refusalOf(client, "room/checkOut", { manage_id: NOBODY })).errno).toBe(100_007);
    expect(await fieldsOf("room/checkOut", {})).toEqual(["manage_id"]);
  });
});

describe("passengers of a stay", () => {
  it("are added and removed, except for the last one", async () => {
    const { stayGuestId: manage_id } = party;
    const added = await answerOf(client, "room/addPassenger", {
      manage_id,
      name: "Ben",
      gender: "male",
      birth: "2001-02-03",
    });
    expect((await stay()).guests).toMatchObject([
      { stayGuestId: manage_id },
      { stayGuestId: added.manage_id, name: "Ben", gender: "male", birthDate: "2001-02-03", primary: false },
    ]);
    await answerOf(client, "room/deletePassenger", { manage_id });
    expect((await stay()).guests).toMatchObject([{ stayGuestId: added.manage_id, primary: true }]);
    const last = await refusalOf(client, "room/deletePassenger", { manage_id: added.manage_id });
    expect(last).toMatchObject({ errno: 100_008, data: { reason: "last_guest" } });
    server.clock.advance(3_000);
    expect((await refusalOf(client, "room/deletePassenger", { manage_id })).errno).toBe(100_007);
  });

  it("are confirmed first when they are in another room", async () => {
    const { stayGuestId: manage_id } = party;
    const twin = { name: `Twin ${serial}`, mobile: "13800000005" };
    await answerOf(client, "room/addPassenger", { manage_id, ...twin });
    const other = { manage_id: hotel.ids.stayGuestId, ...twin };
    expect(await refusalOf(client, "room/addPassenger", other)).toMatchObject({
      errno: 100_009,
      data: { reason: "guest_already_in", room_name: `R${serial - 1}` },
    });
    expect((await answerOf(client, "room/addPassenger", { ...other, confirm: 1 })).manage_id).toBeGreaterThan(0);
    expect(await fieldsOf("room/addPassenger", { manage_id })).toEqual(["name"]);
  });
});
