import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  CARD,
  GATEWAY_SCOPES,
  type GatewayHotel,
  gatewayProgram,
  openGatewayHotel,
  type Program,
} from "../../../test/clients/gateway-client.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";

const HOUR_MS = 3_600_000;

let server: TestServer;
let hotel: GatewayHotel;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  hotel = await openGatewayHotel(server);
});

const auditEntry = (action: string) =>
  server.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.hotel.id, action }, orderBy: { seq: "asc" } });
const cardNow = (id: number) => server.database.prisma.card.findUniqueOrThrow({ where: { id } });

describe("the room list", () => {
  it("contains rooms, groups, locks and each room's current status", async () => {
    await (await hotel.desk()).api.rooms.save.mutate({ name: "102", groupId: null, lock: null });
    const { data } = await (await hotel.loggedIn()).get("/linQuan/getRoomListByHotelId", { hotelId: hotel.hotel.id });
    expect(data).toEqual([
      { roomId: hotel.roomId, roomName: "101", groupName: "Sea view", lockMac: hotel.mac, status: "vacant" },
      { roomId: expect.any(Number), roomName: "102", groupName: "", lockMac: "", status: "vacant" },
    ]);
  });
});

describe("a room card", () => {
  it("is prepared with the data the program has to write, and records the key and the channel", async () => {
    const { code, data } = await hotel.write(await hotel.loggedIn());
    expect(code).toBe(200);
    expect(data).toEqual({
      recordId: expect.any(Number),
      sector: expect.any(Number),
      block: expect.any(Number),
      keyType: expect.stringMatching(/^[AB]$/),
      sectorKey: expect.stringMatching(/^[0-9A-F]{12}$/),
      writeData: expect.stringMatching(/^[0-9A-F]{32}$/),
    });
    const row = await cardNow(data.recordId);
    expect(row).toMatchObject({ uid: CARD, state: "pending", kind: "guest", note: "Ann Lee", issuedById: null });
    expect(row.validFrom.getTime()).toBe(hotel.seconds(0) * 1000);
    expect(row.validTo?.getTime()).toBe(hotel.seconds(24) * 1000);
    const [entry] = await auditEntry("card.prepare");
    expect(entry).toMatchObject({ actorName: "Door program", door: "gateway", actorKind: "key" });
  });

  it("becomes active when it opens its door, and webhooks are notified", async () => {
    const webhook = { name: "PMS", url: "https://8.8.8.8/hook", events: ["card.issued" as const] };
    await (await hotel.desk()).api.integrations.saveWebhook.mutate(webhook);
    const { data } = await hotel.write(await hotel.loggedIn());
    const { sequence } = await cardNow(data.recordId);
    const report = (seq: number, credential: { sequence?: number }, success = true) =>
      server.services.lockReports.events({ hotelId: hotel.hotel.id, mac: hotel.mac.replaceAll(":", "") }, [
        {
          seq,
          at: server.clock.now().toISOString(),
          style: "card",
          success,
          credential: { kind: "card", uid: CARD, card: "guest", ...credential },
        },
      ]);
    await report(1, { sequence }, false);
    await report(2, {});
    await report(3, { sequence: sequence - 1 });
    expect((await cardNow(data.recordId)).state).toBe("pending");
    await report(4, { sequence });
    expect(await cardNow(data.recordId)).toMatchObject({ state: "active", confirmedAt: server.clock.now() });
    const deliveries = await server.database.prisma.webhookDelivery.findMany({ where: { hotelId: hotel.hotel.id } });
    expect(deliveries).toMatchObject([{ event: "card.issued", payload: { cardId: data.recordId } }]);
    await report(5, { sequence });
    expect(await server.database.prisma.webhookDelivery.count({ where: { hotelId: hotel.hotel.id } })).toBe(1);
  });

  it("is refused with the name of the program's own field", async () => {
    const writer = await hotel.loggedIn();
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ roomId: undefined }, /^roomId: /],
      [{ cardNum: "" }, /^cardNum: /],
      [{ cardNum: "not a card" }, /^cardNum: /],
      [{ startTime: "tomorrow" }, /^startTime: /],
      [{ endTime: hotel.seconds(-1) }, /^endTime: /],
      [{ endTime: undefined }, /^endTime: /],
      [{ guestName: "x".repeat(101) }, /^guestName: /],
      [{ hotelId: undefined }, /^hotelId: /],
      [{ disableOldCards: "perhaps" }, /^disableOldCards: /],
    ];
    for (const [more, msg] of cases) {
      const answer = await hotel.write(writer, more);
      expect([answer.status, answer.code], JSON.stringify(more)).toEqual([400, 400]);
      expect(answer.msg).toMatch(msg);
    }
    for (const body of ["{", "[1]", '"text"', "null"]) {
      const { status, data } = await writer.post("/linQuan/writeRoomCard", body);
      expect([status, data], body).toEqual([400, {}]);
    }
    const { roomId: lockless } = await (await hotel.desk()).api.rooms.save.mutate({
      name: "103",
      groupId: null,
      lock: null,
    });
    const conflict = await hotel.write(writer, { roomId: lockless }, { language: "zh-CN" });
    expect([conflict.code, conflict.msg]).toEqual([409, "该房间尚未绑定门锁，请在房间设置中添加。"]);
  });

  it("is written once when it is requested several times within two seconds", async () => {
    const writer = await hotel.loggedIn();
    const answers = await Promise.all([hotel.write(writer), hotel.write(writer), hotel.write(writer)]);
    expect(answers.map(({ code }) => code).sort()).toEqual([200, 409, 409]);
    const late = await hotel.write(writer, {}, { language: "de" });
    expect([late.code, late.msg]).toEqual([409, "Dieselbe Anfrage wird bereits bearbeitet."]);
    server.clock.advance(2_001);
    expect((await hotel.write(writer)).code).toBe(200);
    expect(await auditEntry("card.prepare")).toHaveLength(2);
  });

  it("is taken back by its number in its room", async () => {
    const writer = await hotel.loggedIn();
    const { data } = await hotel.write(writer);
    const remove = (cardNum: string) =>
      writer.post("/linQuan/deleteRoomCard", { hotelId: hotel.hotel.id, roomId: hotel.roomId, cardNum });
    expect((await remove("0A0B0C0D")).code).toBe(404);
    // The same card number in reversed byte order, as other readers report it.
    expect(await remove("66 BC 3C DA")).toMatchObject({ code: 200, data: {} });
    expect((await cardNow(data.recordId)).state).not.toBe("pending");
    expect(await auditEntry("card.revoke")).toMatchObject([{ actorName: "Door program", door: "gateway" }]);
    expect((await remove(CARD)).code).toBe(404);
  });
});

describe("the card records", () => {
  interface Records {
    list: Record<string, unknown>[];
    total: number;
  }
  const records = async (from: Program, more: Record<string, unknown> = {}): Promise<Records> =>
    (await from.post<Records>("/linQuan/getAuthorizationRecord", { hotelId: hotel.hotel.id, ...more })).data;

  it("list written cards, newest first", async () => {
    const writer = await hotel.loggedIn();
    const { data } = await hotel.write(writer);
    expect(await records(writer)).toEqual({
      list: [
        {
          recordId: data.recordId,
          roomId: hotel.roomId,
          roomName: "101",
          cardNum: CARD,
          startTime: hotel.seconds(0),
          endTime: hotel.seconds(24),
          state: "pending",
          guestName: "Ann Lee",
          createTime: hotel.seconds(0),
        },
      ],
      total: 1,
    });
    server.clock.advance(25 * HOUR_MS);
    const again = await hotel.loggedIn();
    expect((await records(again)).list).toMatchObject([{ state: "expired" }]);
    const second = await hotel.write(again, { cardNum: "0A0B0C0D" });
    expect((await records(again)).list.map(({ recordId }) => recordId)).toEqual([second.data.recordId, data.recordId]);
  });

  it("are filtered by room, card and time of writing, and paged", async () => {
    const writer = await hotel.loggedIn();
    for (const [hours, cardNum] of [
      [0, "00000001"],
      [1, "00000002"],
      [1, "00000003"],
    ] as const) {
      server.clock.advance(hours * HOUR_MS);
      await hotel.write(writer, { cardNum });
    }
    const numbers = async (more: Record<string, unknown>) =>
      (await records(writer, more)).list.map(({ cardNum }) => cardNum);
    expect(await numbers({ cardNum: "00000002" })).toEqual(["00000002"]);
    expect(await numbers({ cardNum: "nothing of a card" })).toEqual([]);
    expect(await numbers({ start: hotel.seconds(-1) })).toEqual(["00000003", "00000002"]);
    expect(await numbers({ end: hotel.seconds(-1) })).toEqual(["00000001"]);
    expect(await numbers({ roomId: 1_900_000_000 })).toEqual([]);
    expect(await records(writer, { pageSize: 2, page: 2 })).toMatchObject({
      list: [{ cardNum: "00000001" }],
      total: 3,
    });
    expect(await records(writer, { pageSize: 2, page: 9 })).toEqual({ list: [], total: 3 });
    const tooMany = await writer.post("/linQuan/getAuthorizationRecord", { hotelId: hotel.hotel.id, pageSize: 201 });
    expect([tooMany.code, tooMany.msg.startsWith("pageSize: ")]).toEqual([400, true]);
  });

  it("name the guest of a stay to callers who can see stays", async () => {
    const prices = { depositMinor: 0, usualMinor: 10_000, weekendMinor: 10_000 };
    await (await hotel.desk()).api.rooms.setPrices.mutate({ roomIds: [hotel.roomId], prices });
    const at = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR_MS).toISOString();
    const guests = [{ name: "Ada Lovelace", mobile: "", email: "" }];
    const party = {
      roomId: hotel.roomId,
      unit: "day" as const,
      startsAt: at(0),
      endsAt: at(24),
      guests,
      channel: "cash" as const,
    };
    const { stayId } = await (await hotel.desk()).api.stays.checkIn.mutate(party);
    await (await hotel.desk()).api.cards.prepare.mutate({ stayId, uid: CARD, note: "" });
    expect((await records(await hotel.loggedIn())).list).toMatchObject([{ guestName: "" }]);
    const seeing = await hotel.loggedIn([...GATEWAY_SCOPES, "stays.view"]);
    expect((await records(seeing)).list).toMatchObject([{ guestName: "Ada Lovelace" }]);
  });
});

it("answers unknown paths with 404 in its own format", async () => {
  for (const path of ["/linQuan/unlockDoor", "/linQuan/writeRoomCard"]) {
    expect(await gatewayProgram(server).get(path)).toMatchObject({ status: 404, code: 404, data: {} });
  }
});
