import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;

const DAY = 86_400;
const NOBODY = 2_000_000_000;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "Quince");
  client = await manageLogin(server, hotel.owner);
});
afterAll(() => server.close());

const now = () => Math.floor(server.clock.now().getTime() / 1000);

describe("getRoomInfo", () => {
  it("finds the holder of a card by its number in any notation, and nobody for another number", async () => {
    const { stayGuestId, roomId } = hotel.ids;
    const holder = {
      manage_id: stayGuestId,
      other_information: "Quince",
      room_id: roomId,
      room_name: "Quince 101",
      name: "Quince guest",
      state: "in",
      check_in_time: now() - DAY,
      check_out_time: now() + 2 * DAY,
    };
    for (const card_num of ["DA3CBC66", "66:bc:3c:da", String(0xda3cbc66)]) {
      expect(await answerOf(client, "passenger/getRoomInfo", { card_num })).toEqual([holder]);
    }
    expect(await answerOf(client, "passenger/getRoomInfo", { card_num: "00000001" })).toEqual([]);
    const { data } = await refusalOf(client, "passenger/getRoomInfo", { card_num: "no card" });
    expect(Object.keys(data.fields ?? {})).toEqual(["card_num"]);
    expect((await refusalOf(client, "passenger/getRoomInfo")).data.fields).toHaveProperty("card_num");
  });
});

describe("list", () => {
  type Page = { list: { manage_id: number }[]; total: number };
  const list = (payload: Record<string, unknown>) => answerOf<Page>(client, "passenger/list", payload);

  it("finds guests by keyword, state and period, and equals the tenants' list for one state", async () => {
    const { stayGuestId, reservedStayId } = hotel.ids;
    const reserved = (await hotel.ownerDesk.api.stays.detail.query({ stayId: reservedStayId })).guests[0]?.stayGuestId;
    const ids = async (payload: Record<string, unknown>) => (await list(payload)).list.map((row) => row.manage_id);
    expect(await ids({})).toEqual([reserved, stayGuestId]);
    expect(await ids({ keyword: "101" })).toEqual([stayGuestId]);
    expect(await ids({ keyword: "quince", state: "reserved" })).toEqual([reserved]);
    expect(await ids({ start: now() + 5 * DAY })).toEqual([reserved]);
    expect(await ids({ end: now() + 5 * DAY })).toEqual([stayGuestId]);
    expect(await list({ page: 2, page_size: 1 })).toMatchObject({ total: 2, list: [{ manage_id: stayGuestId }] });
    expect(await list({ page: 9 })).toMatchObject({ total: 2, list: [] });
    expect(await list({ state: "in" })).toEqual(await answerOf(client, "room/tenant/list", { state: "in" }));
  });

  it("refuses an invalid time", async () => {
    expect((await refusalOf(client, "passenger/list", { start: "yesterday" })).data.fields).toHaveProperty("start");
  });
});

describe("info", () => {
  it("returns a guest with the party, its keys and its orders", async () => {
    const { stayGuestId, roomId, cardId, lostCardId, entryId, stayId } = hotel.ids;
    const { api } = hotel.ownerDesk;
    const ben = { name: "Ben", documentNumber: "C01X00T47", documentType: "passport" as const, mobile: "", email: "" };
    const { stayGuestId: second } = await api.guests.add.mutate({ stayId, guest: ben });
    const { passcodeId } = await api.passcodes.create.mutate({ type: "air", roomIds: [roomId], stayId, person: "Ben" });
    const info = await answerOf(client, "passenger/info", { manage_id: second });
    expect(info).toMatchObject({
      manage_id: second,
      room_id: roomId,
      name: "Ben",
      id_number: "•••••••47",
      state: "in",
      remaining: 2 * DAY,
      breakfast: 1,
      card_count: 2,
      passengers: [
        { manage_id: stayGuestId, name: "Quince guest", primary: 1, id_type: null },
        { manage_id: second, name: "Ben", primary: 0, id_type: "passport", id_number: "•••••••47" },
      ],
      cards: [
        { card_id: lostCardId, card_num: "DA3CBC68", state: "revoking" },
        { card_id: cardId, card_num: "DA3CBC66", cardNote: "Quince", kind: "guest", state: "pending" },
      ],
      passwords: [
        {
          id: passcodeId,
          password: "******",
          type: "air",
          name: "Ben",
          end: now() + 2 * DAY,
          permanent: 0,
          state: "pending",
          fail_reason: "",
        },
      ],
    });
    expect(info.orders).toMatchObject([
      { order_id: entryId, type: "room", amount: "200.00", state: "done", room_name: "Quince 101" },
      { type: "deposit", amount: "100.00" },
      { type: "room", amount: "3.00", state: "done" },
    ]);
  });

  it("omits what the operator cannot see, and finds no other hotel's guests", async () => {
    const { roomId, stayGuestId } = hotel.ids;
    const limitedRole = { role: "staff", capabilities: ["stays.view" as const], roomIds: [roomId] } as const;
    const clerk = await manageLogin(
      server,
      await server.createOperator(hotel.hotel, {
        ...limitedRole,
        capabilities: [...limitedRole.capabilities],
        roomIds: [roomId],
      }),
    );
    const info = await answerOf(clerk, "passenger/info", { manage_id: stayGuestId });
    expect(info).toMatchObject({ manage_id: stayGuestId, cards: [], passwords: [], orders: [] });
    const elsewhere = await manageLogin(server, hotel.clerk);
    expect((await refusalOf(elsewhere, "passenger/info", { manage_id: stayGuestId })).errno).toBe(100_007);
    expect((await refusalOf(client, "passenger/info", { manage_id: NOBODY })).errno).toBe(100_007);
    expect((await refusalOf(client, "passenger/info")).data.fields).toHaveProperty("manage_id");
  });
});

describe("deleteCardByCardId", () => {
  it("takes a card back once", async () => {
    const { cardId: card_id, stayId } = hotel.ids;
    await answerOf(client, "passenger/deleteCardByCardId", { card_id });
    const cards = await hotel.ownerDesk.api.cards.ofStay.query({ stayId });
    expect(cards.find(({ id }) => id === card_id)?.state).toMatch(/^revok/);
    server.clock.advance(3_000);
    const again = await refusalOf(client, "passenger/deleteCardByCardId", { card_id });
    expect(again).toMatchObject({ errno: 100_008, data: { reason: "state_conflict" } });
    expect((await refusalOf(client, "passenger/deleteCardByCardId", { card_id: NOBODY })).errno).toBe(100_007);
    expect((await refusalOf(client, "passenger/deleteCardByCardId")).data.fields).toHaveProperty("card_id");
  });
});
