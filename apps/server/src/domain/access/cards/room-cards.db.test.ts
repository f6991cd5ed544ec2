import { airCardInput, prepareRoomCardInput } from "@innkey/shared/schemas/access/cards";
import { moveReservationInput, shortenInput } from "@innkey/shared/schemas/overview/timeline";
import { changeRoomInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { addOverTheAir } from "./air-cards.service.ts";
import { confirm, prepareForRoom, revoke } from "./cards.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
/** Departure of a party that checks in now for three nights; `KEYS_END` adds the hotel's hour after departure. */
const STAY_END = "2026-11-21T14:00:00.000Z";
const KEYS_END = "2026-11-21T15:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  Object.assign(desk.owner.hotel, { accessEarlyMinutes: 30, accessLateMinutes: 60 });
  room = await desk.room("101");
});

/** Prepares, writes and reads back a card. */
async function write(fields: object, scope: Scope = desk.owner) {
  const input = prepareRoomCardInput.parse({ roomId: room.roomId, uid: desk.newUid(), ...fields });
  const card = await prepareForRoom(scope, input);
  desk.chips.set(card.uid, { uid: card.uid, data: card.data, cardId: card.cardId });
  await confirm(scope, { cardId: card.cardId, readBack: card.data });
  return card;
}
const rowOf = (cardId: number) => world.database.prisma.card.findUniqueOrThrow({ where: { id: cardId } });
const opens = (uid: string): boolean => desk.opens(uid, room.lock.id);
const reserve = async (from: string, to: string): Promise<number> => {
  const party = { roomId: room.roomId, unit: "day", startsAt: from, endsAt: to, guests: [{ name: "Ann Lee" }] };
  return (await stays.reserve(desk.owner, reserveInput.parse(party))).stayId;
};

describe("a card for a room", () => {
  it("is the current party's card where their stay covers the period, and ends with the stay", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const first = await desk.issue(stayId, desk.newUid());
    const whole = await write({ validTo: STAY_END });
    const part = await write({ validTo: "2026-11-19T14:00:00Z" });
    const open = await write({});
    expect([whole.validTo, part.validTo, open.validTo]).toEqual([KEYS_END, "2026-11-19T14:00:00.000Z", KEYS_END]);
    const { sequence } = await rowOf(first.cardId);
    for (const { cardId } of [whole, part, open]) expect(await rowOf(cardId)).toMatchObject({ stayId, sequence });
    for (const { uid } of [first, whole, part, open]) expect(await desk.presentCard(uid, room.lock.id)).toBe(true);
    await desk.checkOut(stayId);
    await desk.deliver(room.lock.id);
    for (const { uid } of [first, whole, part, open]) expect(opens(uid)).toBe(false);
  });

  it("belongs to nobody in an empty room, and opens in its period", async () => {
    const card = await write({ validFrom: "2026-11-18T15:00:00Z", validTo: "2026-11-19T10:00:00Z", note: "Ann" });
    expect(await rowOf(card.cardId)).toMatchObject({
      ...{ kind: "guest", stayId: null, lockNumber: room.lock.id, state: "active", note: "Ann" },
      validTo: new Date("2026-11-19T10:00:00Z"),
    });
    expect(opens(card.uid)).toBe(false);
    world.clock.set("2026-11-18T15:00:00.000Z");
    expect(opens(card.uid)).toBe(true);
    world.clock.set("2026-11-19T10:00:00.000Z");
    expect(opens(card.uid)).toBe(false);
  });

  it("belongs to the current party even if it outlasts their stay, excludes nobody, and ends with the stay", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const stayCard = await desk.issue(stayId, desk.newUid());
    const longer = await write({ validTo: "2026-12-01T10:00:00Z" });
    expect(await rowOf(longer.cardId)).toMatchObject({ stayId, validTo: new Date("2026-12-01T10:00:00Z") });
    expect(await desk.presentCard(longer.uid, room.lock.id)).toBe(true);
    expect(await desk.presentCard(stayCard.uid, room.lock.id)).toBe(true);
    await desk.checkOut(stayId);
    await desk.deliver(room.lock.id);
    expect(opens(longer.uid)).toBe(false);
  });

  it("disables the room's other cards on request: they are taken back, and refused once it was used", async () => {
    const old = await write({ validTo: "2026-11-20T10:00:00Z" });
    const later = await write({ validFrom: "2026-11-25T10:00:00Z", validTo: "2026-11-26T10:00:00Z" });
    const fresh = await write({ validTo: "2026-11-20T10:00:00Z", disableOldCards: true });
    expect(await rowOf(old.cardId)).toMatchObject({ state: "revoking", revokeReason: "superseded" });
    expect(await desk.state(later.cardId), "its period is another one").toBe("active");
    expect(await desk.presentCard(fresh.uid, room.lock.id)).toBe(true);
    expect([opens(old.uid), await desk.state(old.cardId)]).toEqual([false, "revoked"]);
  });

  it("belongs to a reserved party in its period, and leaves the current party's cards unchanged", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const now = await desk.issue(stayId, desk.newUid());
    const [from, to] = ["2026-11-23T14:00:00.000Z", "2026-11-25T11:00:00.000Z"];
    const dueId = await reserve(from, to);
    const due = await write({ validFrom: from, validTo: to });
    expect([due.validFrom, due.validTo]).toEqual(["2026-11-23T13:30:00.000Z", "2026-11-25T12:00:00.000Z"]);
    expect(await rowOf(due.cardId)).toMatchObject({ stayId: dueId });
    const duplicate = await desk.issue(stayId, desk.newUid());
    expect((await rowOf(duplicate.cardId)).sequence).toBe((await rowOf(now.cardId)).sequence);
    for (const { uid } of [duplicate, now]) expect(await desk.presentCard(uid, room.lock.id)).toBe(true);
    world.clock.set("2026-11-23T15:00:00.000Z");
    expect(await desk.presentCard(due.uid, room.lock.id)).toBe(true);
  });

  it("for a reserved party is taken back when their dates change or they cancel", async () => {
    const [from, to] = ["2026-11-23T14:00:00.000Z", "2026-11-25T11:00:00.000Z"];
    const stayId = await reserve(from, to);
    const first = await write({ validFrom: from, validTo: to });
    const days = { startsAt: "2026-11-24T14:00:00Z", endsAt: "2026-11-26T11:00:00Z" };
    const move = moveReservationInput.parse({ stayId, roomId: room.roomId, ...days });
    await stays.moveReservation(desk.owner, move);
    expect(await desk.state(first.cardId)).toBe("revoking");
    const second = await write({ validFrom: days.startsAt, validTo: days.endsAt });
    await stays.cancelReservation(desk.owner, { stayId, refundChannel: "cash" });
    expect(await world.database.prisma.card.findUniqueOrThrow({ where: { id: second.cardId } })).toMatchObject({
      revokeReason: "cancelled",
    });
    await desk.deliver(room.lock.id);
    world.clock.set("2026-11-25T10:00:00.000Z");
    expect([opens(first.uid), opens(second.uid)]).toEqual([false, false]);
  });

  it("for a reserved party is taken back when their stay is shortened", async () => {
    const [from, to] = ["2026-11-19T14:00:00.000Z", "2026-11-24T14:00:00.000Z"];
    const stayId = await reserve(from, to);
    const card = await write({ validFrom: from, validTo: to });
    await stays.shorten(desk.owner, shortenInput.parse({ stayId, endsAt: "2026-11-21T14:00:00.000Z", channel: null }));
    expect(await desk.state(card.cardId)).toBe("revoking");
    await desk.deliver(room.lock.id);
    world.clock.set("2026-11-22T14:00:00.000Z");
    expect(opens(card.uid)).toBe(false);
  });

  it("requires a room of the caller's with a lock that reads cards, and a valid period", async () => {
    const ask = (fields: object, scope?: Scope) => write({ validTo: STAY_END, ...fields }, scope);
    const locklessRoom = await hotel.createRoom("103");
    await expect(ask({ roomId: locklessRoom })).rejects.toMatchObject({
      code: "lock_missing",
      params: { roomName: "103" },
    });
    const invalid = { code: "invalid_input", fields: { validTo: expect.anything() } };
    await expect(ask({ validTo: "2026-11-18T13:00:00Z" })).rejects.toMatchObject(invalid);
    await expect(ask({ validTo: null })).rejects.toMatchObject(invalid);
    expect(() => prepareRoomCardInput.parse({ roomId: 1, uid: "DA3CBC66", validFrom: STAY_END, validTo: NOW })).toThrow(
      "endBeforeStart",
    );
    const clerk = await hotel.scope("staff", { capabilities: ["cards.issue"], roomIds: [locklessRoom] });
    await expect(ask({}, clerk)).rejects.toMatchObject({ code: "not_found" });
    const viewer = await hotel.scope("staff", { capabilities: ["cards.view"], roomIds: [room.roomId] });
    await expect(ask({}, viewer)).rejects.toMatchObject({ code: "no_permission" });
    const stranger = await (await world.createHotel()).scope();
    await expect(ask({}, stranger)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a bracelet", () => {
  it("gets no key in a new room whose lock refuses its number", async () => {
    const other = await desk.room("102");
    const uid = desk.newUid();
    const earlier = await desk.checkIn(other.roomId, 1);
    const lost = await desk.issue(earlier, uid);
    await desk.issue(earlier, desk.newUid());
    await revoke(desk.owner, { cardId: lost.cardId, reason: "lost" });
    await desk.checkOut(earlier);
    await desk.deliver(other.lock.id);
    const stayId = await desk.checkIn(room.roomId, 3);
    const { cardId } = await addOverTheAir(desk.owner, airCardInput.parse({ uid, stayId }));
    await desk.deliver(room.lock.id);
    expect(opens(uid)).toBe(true);
    const change = changeRoomInput.parse({ stayId, roomId: other.roomId, confirmDirty: true });
    await stays.changeRoom(desk.owner, change);
    await desk.deliver(other.lock.id);
    const live = { cardId, state: { notIn: ["revoking" as const, "revoked" as const] } };
    expect(await world.database.prisma.credential.findMany({ where: live })).toEqual([]);
    expect(desk.opens(uid, other.lock.id)).toBe(false);
  });
});
