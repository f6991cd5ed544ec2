import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerOf, type ManageClient, manageLogin, refusalOf } from "../../../../test/clients/manage-client.ts";
import { type SeededHotel, seedTestHotel } from "../../../../test/harness/seeded-hotel.ts";
import { createTestServer, type TestServer } from "../../../../test/harness/server.ts";

const DAY = 86_400;
let server: TestServer;
let hotel: SeededHotel;
let client: ManageClient;
let serial = 0xb0_000_000;

beforeAll(async () => {
  server = await createTestServer();
  hotel = await seedTestHotel(server, "own");
  client = await manageLogin(server, hotel.owner);
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(3000));

const now = (): number => Math.floor(server.clock.now().getTime() / 1000);
const newNumber = (): string => (serial++).toString(16).toUpperCase();
const add = (payload: object = {}) =>
  answerOf<{ card_id: number; state: string }>(client, "room/cardAdd", {
    card_num: newNumber(),
    kind: "guest",
    ...payload,
  });
const addCard = (payload: Record<string, unknown>) =>
  answerOf<{ card_id: number; state: string }>(client, "room/addCardStepTwoNew", payload);
const credentialsOf = (cardId: number) =>
  server.database.prisma.credential.findMany({ where: { cardId }, orderBy: { lockId: "asc" } });
const rowOf = (id: number) =>
  server.database.prisma.card.findUniqueOrThrow({ where: { id }, include: { rooms: true } });

describe("a card that opens by its number", () => {
  it("is registered in the first step and placed at its doors in the second", async () => {
    const { roomId, freeRoomId } = hotel.ids;
    const { card_id: cardId, state } = await add({ kind: "management", cardNote: "Cleaner", start: now() });
    expect([state, await credentialsOf(cardId), (await rowOf(cardId)).state]).toEqual(["pending", [], "pending"]);
    const end = now() + DAY;
    const placementAnswer = await addCard({
      card_id: String(cardId),
      room_ids: [roomId, freeRoomId],
      start: now(),
      end,
    });
    expect(placementAnswer).toEqual({ card_id: cardId, state: "pending" });
    expect((await credentialsOf(cardId)).map(({ roomId: at, state: of }) => [at, of])).toEqual([
      [roomId, "queued"],
      [freeRoomId, "queued"],
    ]);
    expect(await rowOf(cardId)).toMatchObject({
      ...{ kind: "management", overTheAir: true, note: "Cleaner", state: "active" },
      validTo: new Date(end * 1000),
    });
    const { cards } = await answerOf<{ cards: { id: number; state: string }[] }>(client, "lock/inLockList", {
      lock_id: hotel.ids.lockId,
    });
    expect(cards).toContainEqual(expect.objectContaining({ id: cardId, name: "Cleaner", state: "pending" }));
  });

  it("of the universal kind opens every door, whatever rooms are named", async () => {
    const { card_id: cardId } = await add({ kind: "universal" });
    await addCard({ card_id: cardId, room_ids: [hotel.ids.roomId], permanent: 1 });
    const locks = await server.database.prisma.lock.count({
      where: { hotelId: hotel.hotel.id, OR: [{ roomId: { not: null } }, { doorId: { not: null } }] },
    });
    expect((await credentialsOf(cardId)).map(({ validTo }) => validTo)).toEqual(Array(locks).fill(null));
  });

  it("is refused with missing fields, and cannot be placed twice", async () => {
    const refused = async (payload: Record<string, unknown>) => {
      const { errno, data } = await refusalOf(client, "room/addCardStepTwoNew", payload);
      return [errno, data.reason ?? Object.keys(data.fields ?? {})[0]];
    };
    expect((await refusalOf(client, "room/cardAdd", { card_num: newNumber() })).data.fields).toHaveProperty("kind");
    const { card_id: cardId } = await add();
    const placement = { card_id: cardId, room_ids: [hotel.ids.roomId] };
    expect(await refused({ card_id: cardId, permanent: 1 })).toEqual([100_001, "room_ids"]);
    expect(await refused(placement)).toEqual([100_001, "end"]);
    expect(await refused({ ...placement, card_id: 999_999, permanent: 1 })).toEqual([100_007, undefined]);
    await addCard({ ...placement, permanent: 1 });
    server.clock.advance(3000);
    expect(await refused({ ...placement, permanent: 1 })).toEqual([100_008, "state_conflict"]);
    const live = await refusalOf(client, "room/cardAdd", { card_num: (await rowOf(cardId)).uid, kind: "guest" });
    expect([live.errno, live.data.reason]).toEqual([100_008, "card_in_use"]);
  });

  it("for a guest is sent to the lock of their room at once, for their stay", async () => {
    const { stayGuestId, stayId, roomId } = hotel.ids;
    const sent = { manage_id: stayGuestId, card_num: newNumber(), cardNote: "Bracelet" };
    const { card_id: cardId, command_ids: ids } = await answerOf<{ card_id: number; command_ids: string[] }>(
      client,
      "room/sendCard",
      sent,
    );
    const [credential] = await credentialsOf(cardId);
    expect(credential).toMatchObject({ stayId, roomId, state: "queued" });
    const commands = await server.database.prisma.lockCommand.findMany({
      where: { credentialId: credential?.id ?? 0 },
    });
    expect(commands.map(({ id, type }) => [id, type])).toEqual(ids.map((id) => [id, "set_credential"]));
    expect(ids).toHaveLength(1);
    server.clock.advance(3000);
    expect((await refusalOf(client, "room/sendCard", sent)).data.reason).toBe("card_in_use");
    expect((await refusalOf(client, "room/sendCard", { manage_id: stayGuestId })).data.fields).toHaveProperty(
      "card_num",
    );
    expect((await refusalOf(client, "room/sendCard", { ...sent, manage_id: 999_999 })).errno).toBe(100_007);
  });
});
