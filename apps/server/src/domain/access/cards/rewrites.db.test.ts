import { prepareCardInput } from "@innkey/shared/schemas/access/cards";
import { alertsInput } from "@innkey/shared/schemas/messaging";
import { checkInInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import * as alerts from "../../messaging/alerts/alerts.service.ts";
import { detail } from "../../property/rooms/rooms.queries.ts";
import { listStayCards } from "./cards.queries.ts";
import { confirm, prepare, revoke } from "./cards.service.ts";
import { waiveRewrite } from "./rewrites.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const LATER = "2026-11-23T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let other: DeskRoom;
let stayId: number;
let ann: number;
let bob: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
  other = await desk.room("102");
  const guests = [{ name: "Ann Lee" }, { name: "Bob Lee" }];
  const party = { roomId: room.roomId, unit: "day", startsAt: NOW, endsAt: "2026-11-21T14:00:00.000Z", guests };
  stayId = (await stays.checkIn(desk.owner, checkInInput.parse(party))).stayId;
  const rows = await world.database.prisma.stayGuest.findMany({ where: { stayId }, orderBy: { id: "asc" } });
  [ann, bob] = rows.map(({ id }) => id) as [number, number];
});

async function write(holderId: number | null, uid = desk.newUid()): Promise<{ cardId: number; uid: string }> {
  const card = await prepare(desk.owner, prepareCardInput.parse({ stayId, uid, holderId }));
  await confirm(desk.owner, { cardId: card.cardId, readBack: card.data });
  return { cardId: card.cardId, uid };
}
const renewal = { unit: "day", agreedTotalMinor: null, expectedTotalMinor: null, channel: null } as const;
const extend = (endsAt = LATER) => stays.renew(desk.owner, { ...renewal, stayId, endsAt });
const move = (roomId: number) =>
  stays.changeRoom(desk.owner, {
    ...{ stayId, roomId, disableOldCards: true, agreedTotalMinor: null, expectedDifferenceMinor: null },
    ...{ channel: null, confirmDirty: true },
  });
/** What lists, board and alerts say about the cards to write again. */
async function marks(roomId = room.roomId) {
  const cards = await listStayCards(desk.owner, stayId);
  const { cardsToRewrite } = await detail(desk.owner, roomId);
  const { rows } = await alerts.list(desk.owner, alertsInput.parse({ kind: "cards_to_rewrite" }));
  return {
    cards: Object.fromEntries(cards.flatMap(({ id, rewrite }) => (rewrite ? [[id, rewrite]] : []))),
    board: cardsToRewrite,
    alerts: rows.map((alert) => [alert.roomId, alert.params.count]),
  };
}
const NONE = { cards: {}, board: 0, alerts: [] };

describe("a written card", () => {
  it("belongs to a guest of its stay, and ends when that guest leaves the party", async () => {
    const { cardId, uid } = await write(bob);
    const holder = async () => (await listStayCards(desk.owner, stayId)).map((card) => card.holder);
    expect(await holder()).toEqual([{ stayGuestId: bob, name: "Bob Lee" }]);
    // A card that is written again stays with its guest.
    await write(null, uid);
    expect((await holder())[0]).toEqual({ stayGuestId: bob, name: "Bob Lee" });
    await write(null);
    expect((await holder())[0]).toBeNull();
    await stays.removeGuest(desk.owner, bob);
    expect(await holder()).toEqual([null, null, null]);
    await expect(write(bob)).rejects.toMatchObject({ code: "not_found" });
    expect(await desk.state(cardId)).toMatch(/^revok/);
  });

  it("must be written again when the stay is extended, until it is", async () => {
    const card = await write(ann);
    expect(await marks()).toEqual(NONE);
    await extend();
    expect(await marks()).toEqual({
      cards: { [card.cardId]: "too_short" },
      board: 1,
      alerts: [[room.roomId, 1]],
    });
    // The mark stays after the card has ended, because the guest stands before a closed door then.
    world.clock.set("2026-11-22T14:00:00.000Z");
    expect(await marks()).toMatchObject({ board: 1 });
    await write(null, card.uid);
    expect(await marks()).toEqual(NONE);
  });

  it("must be written again while writing it was begun and not confirmed", async () => {
    const card = await write(ann);
    await extend();
    await prepare(desk.owner, prepareCardInput.parse({ stayId, uid: card.uid }));
    expect(await marks()).toMatchObject({ cards: { [card.cardId]: "unfinished" }, board: 1 });
    await write(null, card.uid);
    expect(await marks()).toEqual(NONE);
  });

  it("must be written again for the new door when the party moves, guest by guest", async () => {
    const [first, second] = [await write(ann), await write(bob)];
    await move(other.roomId);
    const reasons = { [first.cardId]: "room_changed", [second.cardId]: "room_changed" };
    expect(await marks(other.roomId)).toEqual({ cards: reasons, board: 2, alerts: [[other.roomId, 2]] });
    expect((await detail(desk.owner, room.roomId)).cardsToRewrite).toBe(0);
    // Another card takes the place of the lost one, but only for its own guest.
    await write(bob);
    expect(await marks(other.roomId)).toEqual({
      cards: { [first.cardId]: "room_changed" },
      board: 1,
      alerts: [[other.roomId, 1]],
    });
    await write(bob);
    expect(await marks(other.roomId)).toMatchObject({ board: 1 });
    await write(null, first.uid);
    expect(await marks(other.roomId)).toEqual(NONE);
  });

  it("needn't be written again for a door that reads no cards", async () => {
    await write(ann);
    await move(await hotel.createRoom("No lock"));
    expect((await marks()).cards).toEqual({});
  });

  it("loses the mark when it is taken back, when its party leaves, or when nobody needs it", async () => {
    const [first, second, third] = [await write(ann), await write(bob), await write(null)];
    await extend();
    await revoke(desk.owner, { cardId: first.cardId, reason: "by_hand" });
    expect(await marks()).toMatchObject({ board: 2, alerts: [[room.roomId, 2]] });
    await waiveRewrite(desk.owner, { cardId: third.cardId });
    expect(await marks()).toMatchObject({ cards: { [second.cardId]: "too_short" }, board: 1 });
    expect(await desk.state(third.cardId)).toBe("active");
    await expect(waiveRewrite(desk.owner, { cardId: third.cardId })).rejects.toMatchObject({ code: "state_conflict" });
    const entries = await world.database.prisma.auditEntry.findMany({ where: { action: "card.rewrite_waived" } });
    expect(entries).toMatchObject([{ entityId: String(third.cardId), actorId: desk.owner.actor.id }]);
    await desk.checkOut(stayId);
    expect(await marks()).toEqual(NONE);
  });

  it("of another hotel or without the permission keeps its mark", async () => {
    const { cardId } = await write(ann);
    await extend();
    const scopes: [Scope, string][] = [
      [await (await world.createHotel()).scope(), "not_found"],
      [await hotel.scope("staff", { capabilities: ["cards.view"], roomIds: [room.roomId] }), "no_permission"],
      [await hotel.scope("staff", { capabilities: ["cards.issue"], roomIds: [other.roomId] }), "not_found"],
    ];
    for (const [scope, code] of scopes) await expect(waiveRewrite(scope, { cardId })).rejects.toMatchObject({ code });
    expect(await marks()).toMatchObject({ board: 1 });
  });
});
