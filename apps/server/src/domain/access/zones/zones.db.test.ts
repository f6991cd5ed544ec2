import type { AlertKind } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { airCardInput, newProfileInput, prepareRoomCardInput } from "@innkey/shared/schemas/access/cards";
import { lockInput } from "@innkey/shared/schemas/access/locks";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { zoneInput } from "@innkey/shared/schemas/access/zones";
import { alertsInput } from "@innkey/shared/schemas/messaging";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { SystemScopes } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import * as alerts from "../../messaging/alerts/alerts.service.ts";
import * as groups from "../../property/rooms/groups.service.ts";
import { addOverTheAir } from "../cards/air-cards.service.ts";
import { prepareForRoom, revoke } from "../cards/cards.service.ts";
import * as profiles from "../cards/profiles.service.ts";
import { listPendingRevocations, writeOffKeys } from "../credentials/pending-revocations.ts";
import { readStayKeys } from "../credentials/stay-keys.queries.ts";
import * as doors from "../doors/doors.service.ts";
import { configureLocks } from "../locks/configure.ts";
import * as registration from "../locks/registration.service.ts";
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
let writes: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  writes = 0;
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

/** Runs the job. Counts the hotel's transactions in `writes`, of which number `failAt` fails. */
const fitKeys = (keysPerTransaction?: number, failAt = 0) => {
  const scopes: SystemScopes = async (hotelId) => {
    const scope = await desk.bench.scopes(hotelId);
    if (!scope || hotelId !== hotel.id) return scope;
    const write = scope.write.bind(scope);
    scope.write = (work) => {
      writes += 1;
      if (writes === failAt) throw new Error("the connection was lost");
      return write(work);
    };
    return scope;
  };
  return fitZoneKeysOfAllHotels(world.database, scopes, keysPerTransaction);
};
const openAlerts = async (kind: AlertKind) =>
  (await alerts.list(desk.owner, alertsInput.parse({ kind, state: "open" }))).rows;

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
    expect(keys).toMatchObject([{ kind: "passcode", state: "opens", doors: [{ name: "Entrance", state: "taken" }] }]);
  });

  it("that another guest has at the entrance raises an alert once, and opens it when the other one ends", async () => {
    const other = await desk.room("102");
    const otherStay = await desk.checkIn(other.roomId);
    await forAll();
    await code({ type: "custom", code: "482915", stayId: otherStay, roomIds: [other.roomId] });
    await code({ type: "custom", code: "482915" });
    await deliverAll();
    await fitKeys();
    expect(await openAlerts("code_taken")).toMatchObject([{ roomName: "Entrance", params: { codes: 1 }, count: 1 }]);
    const before = writes;
    await fitKeys();
    expect([writes - before, await openAlerts("code_taken")]).toMatchObject([0, [{ count: 1 }]]);
    await alerts.remove(desk.owner, { ids: (await openAlerts("code_taken")).map(({ id }) => id) });
    await fitKeys();
    expect(await openAlerts("code_taken")).toEqual([]);
    world.clock.advance(25 * 3_600_000);
    await fitKeys();
    expect(await openAlerts("code_taken")).toHaveLength(1);
    await desk.checkOut(otherStay);
    await deliverAll();
    await fitKeys();
    expect([await atDoors(), await openAlerts("code_taken")]).toEqual([{ 101: "confirmed", Entrance: "queued" }, []]);
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
    await fitKeys();
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

describe("a written card whose writing was not confirmed", () => {
  it("is refused by the lock of a zone that its stay loses, like a confirmed one", async () => {
    const { zoneId } = await asExtra();
    await deliverAll();
    await setExtras(zoneId);
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid, { confirm: false });
    expect(opensOf(uid)).toEqual([true, false, true]);
    await setExtras();
    expect(await listPendingRevocations(desk.owner)).toMatchObject([
      { cardId, lockId: gym.lock.id, roomName: "Gym", reason: "zone_left" },
    ]);
    await deliverAll();
    expect([opensOf(uid), await atRisk()]).toEqual([[true, false, false], []]);
    await desk.reset(gym.lock.id);
    expect(opensOf(uid)).toEqual([true, false, false]);
  });

  it("opens its zones again once it is confirmed, if the stay has them", async () => {
    const { zoneId } = await asExtra();
    await deliverAll();
    await setExtras(zoneId);
    const uid = desk.newUid();
    await desk.issue(stayId, uid, { confirm: false });
    await setExtras();
    await deliverAll();
    await setExtras(zoneId);
    await desk.issue(stayId, uid);
    await deliverAll();
    expect(opensOf(uid)).toEqual([true, false, true]);
  });
});

describe("card keys of a common lock that are not the room's", () => {
  const turnKeys = (fields: object = { cipher: "aes" }) =>
    profiles.create(desk.owner, newProfileInput.parse({ block: 0, keyType: "A", ...fields }));
  const generations = async (id: number) => {
    const { profileId, zoneProfiles } = await world.database.prisma.card.findUniqueOrThrow({ where: { id } });
    return [profileId, ...zoneProfiles];
  };
  const entranceState = async () => (await readStayKeys(desk.owner, stayId)).keys[0]?.doors[0]?.state;

  it("are for its own record alone, which stays readable with the sector's own key", async () => {
    await forAll();
    await deliverAll();
    const old = await generations((await desk.issue(stayId, desk.newUid())).cardId);
    const { profileId } = await turnKeys();
    await desk.deliver(room.lock.id);
    const uid = desk.newUid();
    const card = await desk.issue(stayId, uid);
    expect(await generations(card.cardId)).toEqual([profileId, old[0]]);
    expect(card.others).toMatchObject([{ sector: 2 }]);
    expect(card.others[0]?.sectorKey).not.toBe(card.sectorKey);
    expect([opensOf(uid), await entranceState()]).toEqual([[true, true, false], "opens"]);
    await deliverAll();
    expect(opensOf(uid)).toEqual([true, true, false]);
  });

  it("stay in its memory as long as a card carries a record of them", async () => {
    await forAll();
    await deliverAll();
    await turnKeys();
    await desk.deliver(room.lock.id);
    const uid = desk.newUid();
    await desk.issue(stayId, uid);
    await deliverAll();
    await turnKeys();
    await desk.owner.write((tx) => configureLocks(desk.owner, tx, [entrance.lock.id]));
    await deliverAll();
    expect(opensOf(uid)).toEqual([true, true, false]);
  });

  it("that are newer than the room's lock has confirmed are for the zone's record", async () => {
    await forAll();
    await deliverAll();
    const old = await generations((await desk.issue(stayId, desk.newUid())).cardId);
    const { profileId } = await turnKeys();
    await desk.deliver(entrance.lock.id);
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    expect(await generations(cardId)).toEqual([old[0], profileId]);
    expect(opensOf(uid)).toEqual([true, true, false]);
  });

  it("of the old format don't take the room's away, and the entrance waits until its lock has better ones", async () => {
    await forAll();
    await deliverAll();
    const old = { siteCode: 77, sectorKey: "A0A1A2A3A4A5", desKey: "0123456789ABCDEF", desIv: "1234567890ABCDEF" };
    await turnKeys({ cipher: "des-cbc", sector: 1, ...old });
    await desk.deliver(entrance.lock.id);
    const { profileId } = await turnKeys();
    await desk.deliver(room.lock.id);
    const uid = desk.newUid();
    const { cardId } = await desk.issue(stayId, uid);
    expect(await generations(cardId)).toEqual([profileId, profileId]);
    expect([opensOf(uid), await entranceState()]).toEqual([[true, false, false], "waiting"]);
    await deliverAll();
    expect([opensOf(uid), await entranceState()]).toEqual([[true, true, false], "opens"]);
  });
});

describe("the lock of a common door", () => {
  const changeDriver = () =>
    registration.save(
      desk.owner,
      lockInput.parse({ id: entrance.lock.id, mac: entrance.lock.mac, driver: "ttlock", address: "4711" }),
    );
  const lose = async (cardId: number) => {
    await revoke(desk.owner, { cardId, reason: "lost" });
    await desk.deliver(room.lock.id);
  };

  it("that was removed may open for lost cards, until somebody says that it opens no door any more", async () => {
    await forAll();
    await deliverAll();
    const { cardId } = await desk.issue(stayId, desk.newUid());
    await lose(cardId);
    await registration.remove(desk.owner, { lockId: entrance.lock.id });
    expect(await listPendingRevocations(desk.owner)).toMatchObject([{ cardId, lockRemoved: true }]);
    expect(await zones.list(desk.owner)).toMatchObject([
      { doors: [{ confirmed: null }], leaving: [entrance.lock.mac] },
    ]);
    await writeOffKeys(desk.owner, { lockId: entrance.lock.id });
    expect([await atRisk(), await desk.state(cardId)]).toEqual([[], "revoked"]);
    expect(await zones.list(desk.owner)).toMatchObject([{ leaving: [] }]);
  });

  it("that was removed opens no door for cards that are made afterwards, and is forgotten with the last one before", async () => {
    await forAll();
    await deliverAll();
    await desk.issue(stayId, desk.newUid());
    await registration.remove(desk.owner, { lockId: entrance.lock.id });
    const next = await desk.commonDoor("Back door");
    await save({ name: "Back doors", everyGuest: true, doorIds: [entrance.doorId, next.doorId] });
    world.clock.advance(1000);
    const { cardId } = await desk.issue(stayId, desk.newUid());
    await lose(cardId);
    expect((await atRisk()).filter(([, lockId]) => lockId === entrance.lock.id)).toEqual([]);
    await fitKeys();
    expect(await zones.list(desk.owner)).toMatchObject([{ leaving: [] }, { leaving: [entrance.lock.mac] }]);
    await desk.checkOut(stayId);
    world.clock.advance(5 * 86_400_000);
    await fitKeys();
    expect(await zones.list(desk.owner)).toMatchObject([{ leaving: [] }, { leaving: [] }]);
  });

  it("that is reached in another way since still may open for a lost card, and for one of a stay that loses the zone", async () => {
    const { zoneId } = await forAll();
    await deliverAll();
    const { cardId: lostId } = await desk.issue(stayId, desk.newUid());
    const { cardId: otherId } = await desk.issue(stayId, desk.newUid());
    await lose(lostId);
    await changeDriver();
    expect(await atRisk()).toEqual([[lostId, entrance.lock.id]]);
    expect(await zones.list(desk.owner)).toMatchObject([{ leaving: ["Entrance"] }]);
    await zones.remove(desk.owner, { zoneId });
    expect(new Set((await atRisk()).map(([cardId]) => cardId))).toEqual(new Set([lostId, otherId]));
  });

  it("of another make never had a zone's key", async () => {
    await changeDriver();
    await forAll();
    const { cardId } = await desk.issue(stayId, desk.newUid());
    await lose(cardId);
    expect(await atRisk()).toEqual([]);
  });

  it("that goes to a room leaves the common door in the audit log", async () => {
    const roomId = await hotel.createRoom("103");
    await registration.save(desk.owner, lockInput.parse({ id: gym.lock.id, mac: gym.lock.mac, roomId }));
    const entry = await world.database.prisma.auditEntry.findFirst({
      where: { hotelId: hotel.id, action: "lock.update" },
      orderBy: { id: "desc" },
    });
    expect(entry).toMatchObject({
      entityId: String(gym.lock.id),
      before: { roomId: null, doorId: gym.doorId },
      after: { roomId, doorId: null },
    });
  });
});

describe("many stays", () => {
  const ROOMS = 5;

  it("get the keys of a zone in portions, which go on after a failure without losing or repeating any", async () => {
    const { id: groupId } = await groups.save(desk.owner, { name: "Sea side", sort: 1 });
    await save({ name: "Terrace", groupIds: [groupId], doorIds: [gym.doorId] });
    const roomIds: number[] = [];
    for (let n = 1; n <= ROOMS; n += 1) {
      const next = await desk.room(`20${n}`);
      roomIds.push(next.roomId);
      await code({ stayId: await desk.checkIn(next.roomId), roomIds: [next.roomId] });
    }
    await groups.assignGroup(desk.owner, { roomIds, groupId });
    await expect(fitKeys(2, 2)).rejects.toThrow("the connection was lost");
    const sent = async () =>
      (await desk.bench.commands(gym.lock.id)).filter(({ type }) => type === "set_credential").length;
    expect(await sent()).toBe(2);
    await fitKeys(2);
    expect([await sent(), writes]).toEqual([ROOMS, 4]);
    await fitKeys(2);
    expect([await sent(), writes]).toEqual([ROOMS, 4]);
  });

  it("have their cards marked to be written again within a minute after their room's group gained a zone", async () => {
    const { id: groupId } = await groups.save(desk.owner, { name: "Sea side", sort: 1 });
    await save({ name: "Terrace", groupIds: [groupId], doorIds: [gym.doorId] });
    await deliverAll();
    await desk.issue(stayId, desk.newUid());
    await groups.assignGroup(desk.owner, { roomIds: [room.roomId], groupId });
    expect(await openAlerts("cards_to_rewrite")).toEqual([]);
    await fitKeys();
    expect(await openAlerts("cards_to_rewrite")).toMatchObject([{ roomName: "101", params: { count: 1 }, count: 1 }]);
    await fitKeys();
    expect(await openAlerts("cards_to_rewrite")).toMatchObject([{ count: 1 }]);
    await groups.assignGroup(desk.owner, { roomIds: [room.roomId], groupId: null });
    await fitKeys();
    expect(await openAlerts("cards_to_rewrite")).toEqual([]);
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
