import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import type { Browser } from "../../../../test/harness/browser.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

interface Write {
  id: number;
  sector: number;
  block: number;
  key_type: string;
  sector_key: string;
  write_data: string;
  expire: number | null;
}
interface CardRow {
  id: number;
  card_num: string;
  kind: string;
  room_names: string[];
  state: string;
  cardNote: string;
  operator: string;
}

const DAY = 86_400;
let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let desk: Browser["api"];
let serial = 0xa0_000_000;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "own");
  client = await manageLogin(server, hotel.owner);
  desk = hotel.ownerDesk.api;
});
afterAll(() => server.close());
// An identical call counts as a repeat for two seconds.
beforeEach(() => server.clock.advance(3000));

const now = (): number => Math.floor(server.clock.now().getTime() / 1000);
const newNumber = (): string => (serial++).toString(16).toUpperCase();
const rowOf = (id: number) =>
  server.database.prisma.card.findUniqueOrThrow({ where: { id }, include: { rooms: true } });
const encrypt = (payload: object) =>
  answerOf<Write>(client, "room/cardEncryption", { card_num: newNumber(), ...payload });
const confirm = ({ id, write_data }: Write) =>
  answerOf(client, "room/sendCardEncryptionSyntony", { id, read_back: write_data.toLowerCase() });
const list = (payload: object = {}) =>
  answerOf<{ list: CardRow[]; total: number }>(client, "room/cardEncryptionList", { ...payload });

describe("a written card", () => {
  it("for a stay equals the console's, and is active once it was read back", async () => {
    const number = newNumber();
    const card = await answerOf<Write>(client, "room/sendCardEncryption", {
      manage_id: hotel.ids.stayGuestId,
      card_num: number.toLowerCase(),
      cardNote: "Second",
    });
    const row = await rowOf(card.id);
    expect(row).toMatchObject({
      uid: number,
      kind: "guest",
      stayId: hotel.ids.stayId,
      note: "Second",
      state: "pending",
    });
    expect(card).toMatchObject({
      sector: 1,
      block: 4,
      key_type: "A",
      expire: Math.floor((row.validTo?.getTime() ?? 0) / 1000),
    });
    const again = await desk.cards.prepare.mutate({ stayId: hotel.ids.stayId, uid: number, note: "Second" });
    expect([again.data, again.sectorKey, again.dataBlock]).toEqual([card.write_data, card.sector_key, card.block]);

    const confirmation = { id: again.cardId, read_back: "00".repeat(16) };
    const mismatch = await refusalOf(client, "room/sendCardEncryptionSyntony", confirmation);
    expect([mismatch.errno, mismatch.data.reason]).toEqual([100_008, "read_back_mismatch"]);
    expect((await rowOf(again.cardId)).state).toBe("pending");
    expect(await confirm({ ...card, id: again.cardId })).toEqual({ card_id: again.cardId, state: "active" });
    expect((await rowOf(again.cardId)).state).toBe("active");
    const late = await refusalOf(client, "room/sendCardEncryptionSyntony", {
      ...confirmation,
      read_back: card.write_data,
    });
    expect([late.errno, late.data.reason]).toEqual([100_008, "state_conflict"]);
  });

  it("for a guest may cover a part of the stay, but nothing beyond it and no past stay", async () => {
    const end = Math.ceil(now() / 60) * 60 + 7200;
    const request = { manage_id: hotel.ids.stayGuestId, start: now(), end };
    expect((await encrypt(request)).expire).toBe(end);
    const whole = await encrypt({ manage_id: hotel.ids.stayGuestId });
    expect((await encrypt({ ...request, end: now() + 40 * 86_400 })).expire).toBe(whole.expire);
    const pastRequest = { ...request, card_num: newNumber(), start: now() - 7200, end: now() - 3600 };
    expect((await refusalOf(client, "room/cardEncryption", pastRequest)).data.fields).toHaveProperty("end");
  });

  it("by cardEncryption is for a stay, for a room and a period, or of a kind of the hotel's own", async () => {
    const { stayGuestId, stayId, roomId, freeRoomId } = hotel.ids;
    expect(await rowOf((await encrypt({ manage_id: stayGuestId })).id)).toMatchObject({ stayId, kind: "guest" });
    const end = now() + 2 * DAY;
    const roomCard = await encrypt({ room_ids: [freeRoomId], start: now(), end: String(end), cardNote: "By PMS" });
    expect(await rowOf(roomCard.id)).toMatchObject({ stayId: null, note: "By PMS", rooms: [{ roomId: freeRoomId }] });
    expect((roomCard.expire ?? 0) - end).toBeLessThan(60);
    expect(await rowOf((await encrypt({ room_ids: String(roomId) })).id)).toMatchObject({ stayId });
    const management = await encrypt({ kind: "management", room_ids: [roomId, freeRoomId], end });
    expect(await rowOf(management.id)).toMatchObject({
      kind: "management",
      rooms: [{ roomId }, { roomId: freeRoomId }],
    });
    const universal = await encrypt({ kind: "universal", cardNote: "Safe" });
    expect([universal.expire, (await rowOf(universal.id)).note]).toEqual([null, "Safe"]);
  });

  it("disables the room's older cards on request", async () => {
    const old = await encrypt({ manage_id: hotel.ids.stayGuestId });
    await confirm(old);
    await encrypt({ manage_id: hotel.ids.stayGuestId, disable_old_cards: 1 });
    expect(await rowOf(old.id)).toMatchObject({ state: "revoking", revokeReason: "superseded" });
  });

  it("is refused with the missing or invalid field", async () => {
    const refused = async (payload: object) => {
      const { errno, data } = await refusalOf(client, "room/cardEncryption", { card_num: newNumber(), ...payload });
      return [errno, ...Object.keys(data.fields ?? {})];
    };
    const { roomId, freeRoomId } = hotel.ids;
    const end = now() + DAY;
    expect(await refused({ card_num: undefined, manage_id: hotel.ids.stayGuestId })).toEqual([100_001, "card_num"]);
    expect(await refused({ card_num: "no number", manage_id: hotel.ids.stayGuestId })).toEqual([100_001, "card_num"]);
    expect(await refused({})).toEqual([100_001, "room_ids"]);
    expect(await refused({ room_ids: [roomId, freeRoomId], end })).toEqual([100_001, "room_ids"]);
    expect(await refused({ room_ids: [freeRoomId] })).toEqual([100_001, "end"]);
    expect(await refused({ room_ids: [freeRoomId], start: end, end })).toEqual([100_001, "end"]);
    expect(await refused({ kind: "management" })).toEqual([100_001, "room_ids"]);
    expect(await refused({ kind: "golden" })).toEqual([100_001, "kind"]);
    const { roomId: bare } = await desk.rooms.save.mutate({ name: `bare ${serial}`, groupId: null, lock: null });
    const lockless = await refusalOf(client, "room/cardEncryption", { card_num: newNumber(), room_ids: [bare], end });
    expect([lockless.errno, lockless.data.reason]).toEqual([100_008, "lock_missing"]);
  });
});

describe("the list of cards", () => {
  it("shows each card's state, filtered by room and state, page by page", async () => {
    const { freeRoomId } = hotel.ids;
    const card = await encrypt({ room_ids: [freeRoomId], end: now() + DAY, cardNote: "Listed" });
    const [first] = (await list({ room_id: freeRoomId })).list;
    expect(first).toMatchObject({
      id: card.id,
      kind: "guest",
      state: "pending",
      cardNote: "Listed",
      room_names: ["own 102"],
    });
    expect(first?.operator).toMatch(/^owner /);
    await confirm(card);
    const ids = async (payload: object) => (await list({ page_size: 200, ...payload })).list.map(({ id }) => id);
    expect(await ids({ state: "active" })).toContain(card.id);
    expect(await ids({ state: "pending" })).not.toContain(card.id);
    expect(await ids({ room_id: hotel.ids.roomId })).not.toContain(card.id);
    const { total } = await list({ page_size: 1 });
    expect((await list({ page: total, page_size: 1 })).list).toHaveLength(1);
    expect(await list({ page: total + 1, page_size: 1 })).toMatchObject({ list: [], total });
    server.clock.advance(2 * DAY * 1000);
    client = await manageLogin(server, hotel.owner);
    expect(await ids({ state: "expired" })).toContain(card.id);
    expect((await refusalOf(client, "room/cardEncryptionList", { room_id: 999_999 })).errno).toBe(100_007);
  });

  it("drops a deleted card once its lock refuses it", async () => {
    const card = await encrypt({ room_ids: [hotel.ids.freeRoomId], end: now() + DAY });
    await confirm(card);
    expect(await answerOf(client, "room/deleteCardEncryption", { id: card.id })).toEqual({});
    expect((await list({ state: "revoking" })).list.map(({ id }) => id)).toContain(card.id);
    server.clock.advance(3000);
    const again = await refusalOf(client, "room/deleteCardEncryption", { id: card.id });
    expect([again.errno, again.data.reason]).toEqual([100_008, "state_conflict"]);
    expect((await refusalOf(client, "room/deleteCardEncryption", { id: 999_999 })).errno).toBe(100_007);
  });
});
