import { DomainError } from "@innkey/shared/errors";
import { airCardInput, prepareRoomCardInput } from "@innkey/shared/schemas/access/cards";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { zoneInput } from "@innkey/shared/schemas/access/zones";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import * as stays from "../../desk/public.ts";
import * as groups from "../../property/rooms/groups.service.ts";
import { addOverTheAir } from "../cards/air-cards.service.ts";
import { prepareForRoom, revoke } from "../cards/cards.service.ts";
import { listPendingRevocations } from "../credentials/pending-revocations.ts";
import { readStayKeys } from "../credentials/stay-keys.queries.ts";
import * as doors from "../doors/doors.service.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";
import { fitZoneKeysOfAllHotels } from "./zone-jobs.ts";
import * as zones from "./zones.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let stayId: number;
let entrance: { doorId: number; lock: Lock };
let gym: { doorId: number; lock: Lock };

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
  entrance = await desk.commonDoor("Entrance");
  gym = await desk.commonDoor("Gym");
  stayId = await desk.checkIn(room.roomId);
});

const save = (fields: object) => zones.save(desk.owner, zoneInput.parse({ kind: "entrance", ...fields }));
const forAll = () => save({ name: "Entrance", everyGuest: true, doorIds: [entrance.doorId] });
const asExtra = () => save({ name: "Gym", isExtra: true, doorIds: [gym.doorId] });
const setExtras = (...zoneIds: number[]) => zones.setStayZones(desk.owner, { stayId, zoneIds });
const refusal = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );
const code = (fields: object = {}) =>
  passcodes.create(
    desk.owner,
    createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], stayId, person: "Ann", ...fields }),
  );
const deliverAll = async () => {
  for (const { lock } of [room, entrance, gym]) await desk.deliver(lock.id);
};
const atRisk = async () => (await listPendingRevocations(desk.owner)).map(({ cardId, lockId }) => [cardId, lockId]);
const opensOf = (uid: string) => [room, entrance, gym].map(({ lock }) => desk.opens(uid, lock.id));

/** States of the stay's keys in locks' lists, by door. */
async function atDoors(): Promise<Record<string, string>> {
  const rows = await world.database.prisma.credential.findMany({
    where: { hotelId: hotel.id, state: { notIn: ["revoking", "revoked"] } },
    include: { room: true, lock: { include: { door: true } } },
  });
  return Object.fromEntries(rows.map(({ room: at, lock, state }) => [at?.name ?? lock.door?.name, state]));
}

async function moveTo(roomId: number): Promise<void> {
  await stays.changeRoom(desk.owner, {
    stayId,
    roomId,
    confirmDirty: true,
    agreedTotalMinor: null,
    expectedDifferenceMinor: null,
    channel: null,
    disableOldCards: false,
  });
}

describe("a zone", () => {
  it("is listed with doors, groups, and what its locks have confirmed", async () => {
    const { id: groupId } = await groups.save(desk.owner, { name: "Floor 1", sort: 1 });
    const { zoneId } = await save({ name: "Lift", kind: "lift", groupIds: [groupId], doorIds: [entrance.doorId] });
    const row = { id: zoneId, name: "Lift", kind: "lift", everyGuest: false, isExtra: false, leaving: [] };
    const listed = { ...row, groups: [{ id: groupId, name: "Floor 1" }] };
    const door = { id: entrance.doorId, name: "Entrance" };
    expect(await zones.list(desk.owner)).toEqual([{ ...listed, doors: [{ ...door, confirmed: false }] }]);
    await desk.deliver(entrance.lock.id);
    expect(await zones.list(desk.owner)).toEqual([{ ...listed, doors: [{ ...door, confirmed: true }] }]);
    expect(await doors.list(desk.owner)).toMatchObject([{ zones: ["Lift"] }, { zones: [] }]);
  });

  it("says which locks may still have its key after their door left", async () => {
    const { zoneId } = await forAll();
    await desk.deliver(entrance.lock.id);
    await save({ id: zoneId, name: "Entrance", everyGuest: true, doorIds: [] });
    expect(await zones.list(desk.owner)).toMatchObject([{ doors: [], leaving: ["Entrance"] }]);
    await desk.deliver(entrance.lock.id);
    expect(await zones.list(desk.owner)).toMatchObject([{ doors: [], leaving: [] }]);
  });

  it("takes no door that is in eight zones already, and no name twice", async () => {
    for (let n = 1; n <= 8; n += 1) await save({ name: `Zone ${n}`, doorIds: [entrance.doorId] });
    expect(await refusal(save({ name: "Zone 9", doorIds: [entrance.doorId] }))).toBe("invalid_input");
    expect(await refusal(save({ name: "zone 8" }))).toBe("name_taken");
    expect(await zones.list(desk.owner)).toHaveLength(8);
  });
});

describe("a door code of a stay", () => {
  it("also opens the stay's zones, and ends there with it", async () => {
    await forAll();
    await code();
    expect(await atDoors()).toEqual({ 101: "queued", Entrance: "queued" });
    await deliverAll();
    expect(await atDoors()).toEqual({ 101: "confirmed", Entrance: "confirmed" });
    await desk.checkOut(stayId);
    expect(await listPendingRevocations(desk.owner)).toMatchObject([{ roomName: "101" }, { roomName: "Entrance" }]);
    await deliverAll();
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
  });

  it("made before the zone follows it, and leaves a zone that is removed", async () => {
    await code();
    const { zoneId } = await forAll();
    expect(await atDoors()).toEqual({ 101: "queued", Entrance: "queued" });
    await deliverAll();
    await zones.remove(desk.owner, { zoneId });
    expect(await atDoors()).toEqual({ 101: "confirmed" });
    expect(await listPendingRevocations(desk.owner)).toMatchObject([{ roomName: "Entrance", reason: "zone_left" }]);
  });

  it("opens the stay's zones again when the check-out is undone", async () => {
    await forAll();
    await code();
    await deliverAll();
    await desk.checkOut(stayId);
    await deliverAll();
    expect(await atDoors()).toEqual({});
    expect(await stays.undoCheckOut(desk.owner, { stayId })).toMatchObject({ keysLost: 0 });
    expect(await atDoors()).toEqual({ 101: "queued", Entrance: "queued" });
  });

  it("opens nothing more for a single use", async () => {
    await forAll();
    await code({ type: "one_time" });
    expect(await atDoors()).toEqual({ 101: "confirmed" });
  });

  it("that another guest has at the entrance opens the room alone, and the keys of the stay say so", async () => {
    const other = await desk.room("102");
    const otherStay = await desk.checkIn(other.roomId);
    await forAll();
    await code({ type: "custom", code: "482915", stayId: otherStay, roomIds: [other.roomId] });
    expect(await code({ type: "custom", code: "482915" })).toMatchObject({ taken: ["Entrance"] });
    await deliverAll();
    const { keys } = await readStayKeys(desk.owner, stayId);
    expect(keys).toMatchObject([{ kind: "passcode", state: "opens", doors: [{ name: "Entrance", state: "none" }] }]);
  });

  it("follows the room's group after a move, and a group that changes within a minute", async () => {
    const { id: groupId } = await groups.save(desk.owner, { name: "Sea side", sort: 1 });
    const next = await desk.room("201");
    await groups.assignGroup(desk.owner, { roomIds: [next.roomId], groupId });
    await save({ name: "Terrace", groupIds: [groupId], doorIds: [gym.doorId] });
    await code();
    expect(await atDoors()).toEqual({ 101: "queued" });
    await moveTo(next.roomId);
    expect(await atDoors()).toEqual({ 201: "queued", Gym: "queued" });
    await groups.assignGroup(desk.owner, { roomIds: [next.roomId], groupId: null });
    await fitZoneKeysOfAllHotels(world.database, desk.bench.scopes);
    expect(await atDoors()).toEqual({ 201: "queued" });
  });

  it("stays visible to staff of the room", async () => {
    await forAll();
    const { passcodeId } = await code();
    const staff = await hotel.scope("staff", { capabilities: ["passcodes.issue"], roomIds: [room.roomId] });
    expect((await passcodes.reveal(staff, { passcodeId })).code).toMatch(/^\d{6}$/);
  });
});

describe("an extra of a stay", () => {
  it("opens its doors for cards by number and codes as long as the stay has it", async () => {
    const { zoneId } = await asExtra();
    await addOverTheAir(desk.owner, airCardInput.parse({ uid: "DA3CBC66", stayId }));
    expect(await atDoors()).toEqual({ 101: "queued" });
    await setExtras(zoneId);
    expect(await atDoors()).toEqual({ 101: "queued", Gym: "queued" });
    await setExtras();
    expect(await atDoors()).toEqual({ 101: "queued" });
  });

  it("is only a zone that is offered as one, for a stay that is not over", async () => {
    const { zoneId } = await forAll();
    expect(await refusal(setExtras(zoneId))).toBe("not_found");
    const extra = await asExtra();
    await desk.checkOut(stayId);
    expect(await refusal(setExtras(extra.zoneId))).toBe("state_conflict");
  });
});

describe("a written card", () => {
  it("carries the stay's zones, which their locks read without any command for the card", async () => {
    await forAll();
    await deliverAll();
    const uid = desk.newUid();
    await desk.issue(stayId, uid);
    expect(opensOf(uid)).toEqual([true, true, false]);
    expect((await desk.bench.commands(entrance.lock.id)).map(({ type }) => type)).not.toContain("set_credential");
    const { keys } = await readStayKeys(desk.owner, stayId);
    expect(keys).toMatchObject([{ kind: "card", state: "opens", doors: [{ name: "Entrance", state: "opens" }] }]);
  });

  it("waits at a door whose lock has not confirmed the zone's key", async () => {
    await forAll();
    await desk.issue(stayId, desk.newUid());
    const { keys } = await readStayKeys(desk.owner, stayId);
    expect(keys).toMatchObject([{ doors: [{ name: "Entrance", state: "waiting" }] }]);
  });

  it("is to be written again for a zone that came later, and then opens it", async () => {
    const uid = desk.newUid();
    await desk.issue(stayId, uid);
    await forAll();
    await deliverAll();
    expect((await readStayKeys(desk.owner, stayId)).keys).toMatchObject([{ state: "rewrite", rewrite: "zones" }]);
    await desk.issue(stayId, uid);
    await deliverAll();
    expect(opensOf(uid)).toEqual([true, true, false]);
    expect((await readStayKeys(desk.owner, stayId)).keys).toMatchObject([{ state: "opens" }]);
    expect(await atRisk()).toEqual([]);
  });

  it("that is lost is refused at every door, and listed until each lock has confirmed", async () => {
    await forAll();
    await deliverAll();
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await revoke(desk.owner, { cardId, reason: "lost" });
    expect(new Set((await atRisk()).map(String))).toEqual(
      new Set([`${cardId},${room.lock.id}`, `${cardId},${entrance.lock.id}`]),
    );
    await desk.deliver(room.lock.id);
    expect([opensOf(uid), await desk.state(cardId)]).toEqual([[false, true, false], "revoking"]);
    await desk.deliver(entrance.lock.id);
    expect([opensOf(uid), await desk.state(cardId)]).toEqual([[false, false, false], "revoked"]);
    expect(await atRisk()).toEqual([]);
  });

  it("of a guest who left early opens the entrance again for the next guest, but only with the new record", async () => {
    await forAll();
    await deliverAll();
    const uid = desk.newUid();
    await desk.issue(stayId, uid);
    const old = desk.chips.get(uid);
    await desk.checkOut(stayId);
    await deliverAll();
    const next = await desk.checkIn(room.roomId, 2);
    await desk.issue(next, uid);
    await deliverAll();
    expect(opensOf(uid)).toEqual([true, true, false]);
    if (old) desk.chips.set(uid, old);
    expect(opensOf(uid)).toEqual([false, false, false]);
  });

  it("keeps its room when the stay loses a zone, whose lock refuses its number until the stay has it again", async () => {
    const { zoneId } = await asExtra();
    await deliverAll();
    await setExtras(zoneId);
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    expect(opensOf(uid)).toEqual([true, false, true]);
    await setExtras();
    expect(await listPendingRevocations(desk.owner)).toMatchObject([
      { cardId, lockId: gym.lock.id, roomName: "Gym", reason: "zone_left" },
    ]);
    await deliverAll();
    expect([opensOf(uid), await atRisk()]).toEqual([[true, false, false], []]);
    expect((await readStayKeys(desk.owner, stayId)).keys).toMatchObject([{ state: "opens", doors: [] }]);
    await setExtras(zoneId);
    await deliverAll();
    expect(opensOf(uid)).toEqual([true, false, true]);
  });

  it("that was revoked is refused by a lock that joins the zone afterwards, also after it lost its memory", async () => {
    const { zoneId } = await forAll();
    await deliverAll();
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    await revoke(desk.owner, { cardId, reason: "lost" });
    await deliverAll();
    await save({ id: zoneId, name: "Entrance", everyGuest: true, doorIds: [entrance.doorId, gym.doorId] });
    await deliverAll();
    expect(opensOf(uid)).toEqual([false, false, false]);
    await desk.reset(entrance.lock.id);
    expect(opensOf(uid)).toEqual([false, false, false]);
  });

  it("opens a door no longer that left the zone", async () => {
    const { zoneId } = await save({ name: "All", everyGuest: true, doorIds: [entrance.doorId, gym.doorId] });
    await deliverAll();
    const uid = desk.newUid();
    await desk.issue(stayId, uid);
    expect(opensOf(uid)).toEqual([true, true, true]);
    await save({ id: zoneId, name: "All", everyGuest: true, doorIds: [entrance.doorId] });
    await deliverAll();
    expect(opensOf(uid)).toEqual([true, true, false]);
  });

  it("from the gateway or an old client carries the room alone, and is marked", async () => {
    await forAll();
    await deliverAll();
    const uid = desk.newUid();
    const card = await prepareForRoom(desk.owner, prepareRoomCardInput.parse({ roomId: room.roomId, uid }));
    expect(card.others).toEqual([]);
    desk.chips.set(uid, { uid, data: card.data, cardId: card.cardId });
    await world.database.prisma.card.update({
      where: { id: card.cardId },
      data: { state: "active", confirmedAt: desk.owner.now() },
    });
    expect((await readStayKeys(desk.owner, stayId)).keys).toMatchObject([
      { state: "rewrite", rewrite: "zones", doors: [{ name: "Entrance", state: "none" }] },
    ]);
    expect(opensOf(uid)).toEqual([true, false, false]);
  });

  it("gets no more zones than it has sectors for, without asking to be written again", async () => {
    for (let n = 1; n <= 6; n += 1) await save({ name: `Zone ${n}`, everyGuest: true, doorIds: [entrance.doorId] });
    await deliverAll();
    const { others } = await desk.issue(stayId, desk.newUid());
    expect(others).toHaveLength(4);
    expect((await readStayKeys(desk.owner, stayId)).keys).toMatchObject([{ state: "opens", rewrite: null }]);
  });
});

describe("staff of certain rooms", () => {
  it("see no zones, but what the stay of their room opens", async () => {
    await forAll();
    const capabilities = ["locks.view", "stays.view", "passcodes.view"];
    const staff = await hotel.scope("staff", { capabilities, roomIds: [room.roomId] });
    expect(await zones.list(staff)).toEqual([]);
    expect((await readStayKeys(staff, stayId)).zones).toMatchObject([{ name: "Entrance", opens: true }]);
  });
});
