import type { DomainError } from "@innkey/shared/errors";
import {
  airCardInput,
  cardsInput,
  grantCardInput,
  prepareCardInput,
  prepareMasterInput,
  registerCardInput,
} from "@innkey/shared/schemas/access/cards";
import { zoneInput } from "@innkey/shared/schemas/access/zones";
import { changeRoomInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import * as stays from "../../desk/public.ts";
import * as groups from "../../property/rooms/groups.service.ts";
import { explain } from "../credentials/explain.service.ts";
import { listPendingRevocations, resendRevocation } from "../credentials/pending-revocations.ts";
import * as doors from "../doors/doors.service.ts";
import { compareInventory } from "../lock-commands/compare-inventory.ts";
import { save } from "../locks/registration.service.ts";
import { fitZoneKeysOfAllHotels } from "../zones/zone-jobs.ts";
import * as zones from "../zones/zones.service.ts";
import { addOverTheAir, grantCard, register } from "./air-cards.service.ts";
import { passOf, withKeys } from "./card-keys.ts";
import { list, listStayCards } from "./cards.queries.ts";
import { confirm, prepare, revoke } from "./cards.service.ts";
import { prepareMaster, setHours, setRooms } from "./master.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const TOMORROW = "2026-11-19T14:00:00.000Z";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let first: DeskRoom;
let second: DeskRoom;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  first = await desk.room("101");
  second = await desk.room("102");
});

const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: DomainError) => error.code,
  );
const issueManagementCard = (roomIds: number[], uid = desk.newUid()) =>
  desk.issueMaster("management", uid, { roomIds });
const clerk = (roomIds: number[]) =>
  hotel.scope("staff", { capabilities: ["cards.view", "cards.issue", "stays.view", "locks.view"], roomIds });

describe("a management card", () => {
  it("carries its own pass, and opens where the lock lists it", async () => {
    const card = await issueManagementCard([first.roomId]);
    const profile = await world.database.prisma.cardProfile.findFirstOrThrow({ where: { hotelId: hotel.id } });
    const { keys } = withKeys(desk.owner, profile);
    if (keys.cipher !== "aes") throw new Error("this hotel has AES keys");
    expect(card.data).toBe(passOf(keys.masterKey, card.uid, card.cardId).toString("hex").toUpperCase());
    expect([card.sector, card.dataBlock]).toEqual([2, 8]);
    expect(desk.opens(card.uid, first.lock.id), "before its lock gets the command").toBe(false);
    for (const { lock } of [first, second]) await desk.deliver(lock.id);
    expect([desk.opens(card.uid, first.lock.id), desk.opens(card.uid, second.lock.id)]).toEqual([true, false]);
  });

  it("is listed at no lock before it was read back", async () => {
    const card = await desk.issueMaster("management", desk.newUid(), { roomIds: [first.roomId], confirm: false });
    expect(await world.database.prisma.credential.count({ where: { cardId: card.cardId } })).toBe(0);
    await confirm(desk.owner, { cardId: card.cardId, readBack: card.data });
    const [credential] = await world.database.prisma.credential.findMany({ where: { cardId: card.cardId } });
    expect(credential).toMatchObject({ lockId: first.lock.id, state: "queued", kind: "card", validTo: null });
  });

  it("changes doors: a removed door opens until its lock confirms, and can be added again before that", async () => {
    const card = await issueManagementCard([first.roomId]);
    await desk.deliver(first.lock.id);
    expect(await setRooms(desk.owner, { cardId: card.cardId, roomIds: [second.roomId] })).toMatchObject({
      state: "active",
    });
    await desk.deliver(second.lock.id);
    expect([desk.opens(card.uid, first.lock.id), desk.opens(card.uid, second.lock.id)]).toEqual([true, true]);
    expect(await listPendingRevocations(desk.owner)).toMatchObject([
      { cardId: card.cardId, lockId: first.lock.id, kind: "card" },
    ]);
    await setRooms(desk.owner, { cardId: card.cardId, roomIds: [first.roomId, second.roomId] });
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
    await desk.deliver(first.lock.id);
    expect(desk.opens(card.uid, first.lock.id)).toBe(true);
    await setRooms(desk.owner, { cardId: card.cardId, roomIds: [second.roomId] });
    await desk.deliver(first.lock.id);
    expect(desk.opens(card.uid, first.lock.id)).toBe(false);
    const { rows } = await list(desk.owner, cardsInput.parse({}));
    expect(rows).toMatchObject([{ id: card.cardId, roomIds: [second.roomId], roomName: "102" }]);
  });

  it("still opens a door that gets another lock, and not the next door of the old lock", async () => {
    const card = await issueManagementCard([first.roomId]);
    await desk.deliver(first.lock.id);
    const hang = ({ id, mac }: DeskRoom["lock"], roomId: number | null) =>
      save(desk.owner, { id, mac, bluetoothName: "", driver: "mqtt", address: "", roomId });
    await hang(first.lock, null);
    await hang(second.lock, first.roomId);
    await hang(first.lock, second.roomId);
    for (const { lock } of [first, second]) await desk.deliver(lock.id);
    expect([desk.opens(card.uid, second.lock.id), desk.opens(card.uid, first.lock.id)]).toEqual([true, false]);
  });

  describe("with days and hours", () => {
    // NOW is Wednesday 15:00 in Berlin.
    const MORNING = [{ days: [1, 2, 3, 4, 5], from: "07:00", to: "12:00" }];
    const DAY = [{ days: [1, 2, 3, 4, 5], from: "06:00", to: "18:00" }];
    const rowOf = async (cardId: number) => (await list(desk.owner, cardsInput.parse({ cardId }))).rows[0];
    const oldLocks = async (cardId: number) =>
      (await rowOf(cardId))?.credentials
        .filter(({ hoursChangedAt }) => hoursChangedAt !== null)
        .map(({ roomName }) => roomName);
    const doors = () => [first.roomId, second.roomId];
    const deliverBoth = async () => {
      for (const { lock } of [first, second]) await desk.deliver(lock.id);
    };

    it("opens at these times only, in the hotel's time zone", async () => {
      const card = await desk.issueMaster("management", desk.newUid(), { roomIds: doors(), hours: MORNING });
      await deliverBoth();
      expect(await rowOf(card.cardId)).toMatchObject({ hours: MORNING });
      expect(desk.opens(card.uid, first.lock.id)).toBe(false);
      expect(await explain(desk.owner, { number: card.uid, roomId: first.roomId })).toMatchObject({
        verdict: "outside_hours",
        params: { at: "2026-11-19T06:00:00.000Z" },
      });
      world.clock.set("2026-11-19T06:00:00.000Z");
      expect(desk.opens(card.uid, first.lock.id)).toBe(true);
      expect(await explain(desk.owner, { number: card.uid, roomId: first.roomId })).toMatchObject({ verdict: "works" });
    });

    it("are shown as old at each lock until it confirms new ones, and as a risk if they were cut", async () => {
      const card = await desk.issueMaster("management", desk.newUid(), { roomIds: doors() });
      await deliverBoth();
      await setHours(desk.owner, { cardId: card.cardId, hours: MORNING });
      expect(await oldLocks(card.cardId)).toEqual(["101", "102"]);
      expect(await listPendingRevocations(desk.owner)).toMatchObject([
        { cardId: card.cardId, roomName: "101", reason: "hours_changed" },
        { cardId: card.cardId, roomName: "102", reason: "hours_changed" },
      ]);
      await desk.deliver(first.lock.id);
      expect([desk.opens(card.uid, first.lock.id), desk.opens(card.uid, second.lock.id)]).toEqual([false, true]);
      expect(await oldLocks(card.cardId)).toEqual(["102"]);
      const ref = { lockId: second.lock.id, cardId: card.cardId };
      expect(await resendRevocation(desk.owner, ref)).toEqual({ retried: 1 });
      await desk.deliver(second.lock.id);
      expect([await oldLocks(card.cardId), await listPendingRevocations(desk.owner)]).toEqual([[], []]);
    });

    it("that grow are no risk, but old until confirmed", async () => {
      const card = await desk.issueMaster("management", desk.newUid(), { roomIds: doors(), hours: MORNING });
      await deliverBoth();
      await setHours(desk.owner, { cardId: card.cardId, hours: DAY });
      expect([await oldLocks(card.cardId), await listPendingRevocations(desk.owner)]).toEqual([["101", "102"], []]);
      await deliverBoth();
      expect([await oldLocks(card.cardId), desk.opens(card.uid, first.lock.id)]).toEqual([[], true]);
    });

    it("changed before any lock had the card leave nothing old behind", async () => {
      const card = await desk.issueMaster("management", desk.newUid(), { roomIds: doors(), hours: DAY });
      await setHours(desk.owner, { cardId: card.cardId, hours: MORNING });
      expect(await oldLocks(card.cardId)).toEqual([]);
      await deliverBoth();
      expect(desk.opens(card.uid, first.lock.id)).toBe(false);
    });

    it("are read back from the lock, and sent again where they differ", async () => {
      const card = await desk.issueMaster("management", desk.newUid(), { roomIds: [first.roomId], hours: DAY });
      await desk.deliver(first.lock.id);
      const where = { cardId: card.cardId };
      const { id, validFrom } = await world.database.prisma.credential.findFirstOrThrow({ where });
      const stored = { slot: id, kind: "card" as const, name: "", validFrom: validFrom.toISOString(), validTo: null };
      const readBack = (hours?: typeof DAY) =>
        desk.owner.write(async (tx) =>
          compareInventory(desk.owner, tx, await tx.db.lock.findFirstOrThrow({ where: { id: first.lock.id } }), [
            { ...stored, ...(hours && { hours }) },
          ]),
        );
      await readBack(DAY);
      expect(await oldLocks(card.cardId)).toEqual([]);
      await readBack();
      expect(await oldLocks(card.cardId)).toEqual(["101"]);
      expect(await listPendingRevocations(desk.owner)).toMatchObject([{ reason: "hours_changed" }]);
      await desk.deliver(first.lock.id);
      expect(await oldLocks(card.cardId)).toEqual([]);
    });

    it("are refused for a lock that can't receive them, and for whoever may not make staff cards", async () => {
      const roomId = await hotel.createRoom("103");
      await desk.bench.addLock(desk.owner, { roomId }, false);
      const make = desk.issueMaster("management", desk.newUid(), { roomIds: [first.roomId, roomId], hours: DAY });
      await expect(make).rejects.toMatchObject({ code: "lock_without_hours", params: { roomName: "103" } });
      const card = await desk.issueMaster("management", desk.newUid(), { roomIds: [first.roomId, roomId] });
      const change = (scope = desk.owner) => codeOf(setHours(scope, { cardId: card.cardId, hours: DAY }));
      expect(await change()).toBe("lock_without_hours");
      expect(await change(await clerk([first.roomId]))).toBe("no_permission");
      expect(await change(await (await world.createHotel()).scope("owner"))).toBe("not_found");
      await revoke(desk.owner, { cardId: card.cardId, reason: "by_hand" });
      expect(await change()).toBe("state_conflict");
      const master = await desk.issueMaster("universal", desk.newUid(), { hours: DAY });
      expect(await codeOf(setHours(desk.owner, { cardId: master.cardId, hours: DAY }))).toBe("not_found");
      expect(await rowOf(master.cardId)).toMatchObject({ hours: [] });
    });

    it("of a card by number are refused with its doors, and it isn't granted to a lock of another make later", async () => {
      const roomId = await hotel.createRoom("104");
      const zigbee = { driver: "zigbee2mqtt" as const, address: "door 104" };
      const device = { mac: "A4:C1:38:00:9F:04", bluetoothName: "", ...zigbee };
      const { lockId } = await save(desk.owner, { ...device, roomId });
      const draft = { uid: desk.newUid(), kind: "management" as const, note: "Linen" };
      const { cardId } = await register(desk.owner, registerCardInput.parse(draft));
      await setHours(desk.owner, { cardId, hours: DAY });
      const grant = (roomIds: number[]) =>
        grantCard(desk.owner, grantCardInput.parse({ cardId, roomIds, permanent: true }));
      await expect(grant([first.roomId, roomId])).rejects.toMatchObject({
        code: "lock_without_hours",
        params: { roomName: "104" },
      });
      await grant([first.roomId]);
      await save(desk.owner, { ...device, id: lockId, roomId: null });
      const { id, mac } = first.lock;
      await save(desk.owner, { id, mac, bluetoothName: "", driver: "mqtt", address: "", roomId: null });
      await save(desk.owner, { ...device, id: lockId, roomId: first.roomId });
      const live = { cardId, state: { notIn: ["revoking" as const, "revoked" as const] } };
      expect(await world.database.prisma.credential.findMany({ where: live })).toEqual([]);
    });
  });

  describe("of a room group and a zone", () => {
    let linen: Awaited<ReturnType<CardDesk["commonDoor"]>>;
    let groupId: number;
    let zoneId: number;
    let card: Awaited<ReturnType<CardDesk["issueMaster"]>>;

    beforeEach(async () => {
      linen = await desk.commonDoor("Linen store");
      groupId = (await groups.save(desk.owner, { name: "Floor 1", sort: 1 })).id;
      await groups.assignGroup(desk.owner, { roomIds: [first.roomId], groupId });
      const zone = { name: "Staff area", kind: "staff", doorIds: [linen.doorId] };
      zoneId = (await zones.save(desk.owner, zoneInput.parse(zone))).zoneId;
      card = await desk.issueMaster("management", desk.newUid(), { groupIds: [groupId], zoneIds: [zoneId] });
      await deliverAll();
    });
    const deliverAll = async () => {
      for (const { lock } of [first, second, linen]) await desk.deliver(lock.id);
    };
    const opened = () => [first, second, linen].map(({ lock }) => desk.opens(card.uid, lock.id));
    const follow = () => fitZoneKeysOfAllHotels(world.database, desk.bench.scopes);

    it("opens their doors, and is listed with them", async () => {
      expect(opened()).toEqual([true, false, true]);
      const { rows } = await list(desk.owner, cardsInput.parse({}));
      expect(rows).toMatchObject([
        { groupIds: [groupId], zoneIds: [zoneId], roomIds: [], roomName: "Floor 1, Staff area" },
      ]);
      const at = { number: card.uid, roomId: first.roomId };
      expect(await explain(desk.owner, at)).toMatchObject({ verdict: "works" });
      expect(await explain(desk.owner, { ...at, roomId: second.roomId })).toMatchObject({ verdict: "card_other_room" });
    });

    it("follows rooms that join or leave the group", async () => {
      await groups.assignGroup(desk.owner, { roomIds: [second.roomId], groupId });
      await groups.assignGroup(desk.owner, { roomIds: [first.roomId], groupId: null });
      await follow();
      expect(await listPendingRevocations(desk.owner)).toMatchObject([{ roomName: "101", reason: "door_left" }]);
      await deliverAll();
      expect([opened(), await listPendingRevocations(desk.owner)]).toEqual([[false, true, true], []]);
    });

    it("follows doors that join or leave the zone at once, and a zone that is removed", async () => {
      const pool = await desk.commonDoor("Pool plant");
      const save = (doorIds: number[]) =>
        zones.save(desk.owner, zoneInput.parse({ id: zoneId, name: "Staff area", kind: "staff", doorIds }));
      await save([pool.doorId]);
      await deliverAll();
      await desk.deliver(pool.lock.id);
      expect([opened(), desk.opens(card.uid, pool.lock.id)]).toEqual([[true, false, false], true]);
      await zones.remove(desk.owner, { zoneId });
      await desk.deliver(pool.lock.id);
      expect(desk.opens(card.uid, pool.lock.id)).toBe(false);
    });

    it("opens a door of the group that gets another lock", async () => {
      const { id, mac } = first.lock;
      const hang = (lock: { id: number; mac: string }, roomId: number | null) =>
        save(desk.owner, { id: lock.id, mac: lock.mac, bluetoothName: "", driver: "mqtt", address: "", roomId });
      await hang({ id, mac }, null);
      await hang(second.lock, first.roomId);
      await deliverAll();
      expect(opened()).toEqual([false, true, true]);
    });

    it("can be changed to other doors, and takes no group or zone of another hotel", async () => {
      const { cardId } = card;
      await setRooms(desk.owner, { cardId, roomIds: [second.roomId], groupIds: [] });
      await deliverAll();
      expect(opened()).toEqual([false, true, true]);
      const other = await (await world.createHotel()).scope("owner");
      const { id: strange } = await groups.save(other, { name: "Floor 1", sort: 1 });
      const { zoneId: strangeZone } = await zones.save(other, zoneInput.parse({ name: "Gym", kind: "facility" }));
      expect(await codeOf(setRooms(desk.owner, { cardId, roomIds: [], groupIds: [strange] }))).toBe("not_found");
      const make = (fields: object) => codeOf(desk.issueMaster("management", desk.newUid(), fields));
      expect([await make({ groupIds: [strange] }), await make({ zoneIds: [strangeZone] })]).toEqual([
        "not_found",
        "not_found",
      ]);
    });
  });

  it("is revoked once all its locks have removed it", async () => {
    const card = await issueManagementCard([first.roomId, second.roomId]);
    for (const { lock } of [first, second]) await desk.deliver(lock.id);
    await revoke(desk.owner, { cardId: card.cardId, reason: "lost" });
    await desk.deliver(first.lock.id);
    expect(await desk.state(card.cardId)).toBe("revoking");
    expect(await listPendingRevocations(desk.owner)).toMatchObject([
      { lockId: second.lock.id, reason: "lost", label: card.uid },
    ]);
    await desk.deliver(second.lock.id);
    expect(await desk.state(card.cardId)).toBe("revoked");
    expect([desk.opens(card.uid, first.lock.id), desk.opens(card.uid, second.lock.id)]).toEqual([false, false]);
  });

  it("names a room without a lock, and refuses a past period or one that a card cannot store", async () => {
    const locklessRoom = await hotel.createRoom("103");
    const ask = (fields: object) =>
      prepareMaster(
        desk.owner,
        prepareMasterInput.parse({
          kind: "management",
          uid: desk.newUid(),
          note: "x",
          roomIds: [first.roomId],
          ...fields,
        }),
      );
    await expect(ask({ roomIds: [locklessRoom] })).rejects.toMatchObject({
      code: "lock_missing",
      params: { roomName: "103" },
    });
    const invalid = (field: string) => ({ code: "invalid_input", fields: { [field]: expect.anything() } });
    await expect(ask({ validFrom: "2026-01-01T00:00:00Z", validTo: NOW })).rejects.toMatchObject(invalid("validTo"));
    await expect(ask({ validTo: "2090-01-01T00:00:00Z" })).rejects.toMatchObject(invalid("validTo"));
    await expect(ask({ validFrom: "2090-01-01T00:00:00Z" })).rejects.toMatchObject(invalid("validFrom"));
    expect((await ask({ validFrom: "2001-01-01T00:00:00Z" })).validFrom).toBe("2024-01-01T00:00:00.000Z");
  });
});

describe("an over-the-air card", () => {
  it("issued for a stay opens its room in the stay's time, moves with the stay and ends with it", async () => {
    const stayId = await desk.checkIn(first.roomId);
    const uid = desk.newUid();
    const { cardId, state } = await addOverTheAir(desk.owner, airCardInput.parse({ uid, stayId }));
    expect([state, desk.opens(uid, first.lock.id)]).toEqual(["active", false]);
    await desk.deliver(first.lock.id);
    expect(desk.opens(uid, first.lock.id)).toBe(true);
    await stays.changeRoom(desk.owner, changeRoomInput.parse({ stayId, roomId: second.roomId }));
    for (const { lock } of [first, second]) await desk.deliver(lock.id);
    expect([desk.opens(uid, first.lock.id), desk.opens(uid, second.lock.id)]).toEqual([false, true]);
    expect((await listStayCards(desk.owner, stayId))[0]).toMatchObject({
      overTheAir: true,
      roomName: "102",
      rewrite: null,
    });
    await desk.checkOut(stayId);
    await desk.deliver(second.lock.id);
    expect([desk.opens(uid, second.lock.id), await desk.state(cardId)]).toEqual([false, "revoked"]);
  });

  it("issued for a period opens the chosen rooms", async () => {
    const uid = desk.newUid();
    const roomIds = [first.roomId, second.roomId];
    await addOverTheAir(desk.owner, airCardInput.parse({ uid, roomIds, validTo: TOMORROW }));
    for (const { lock } of [first, second]) await desk.deliver(lock.id);
    expect([desk.opens(uid, first.lock.id), desk.opens(uid, second.lock.id)]).toEqual([true, true]);
    world.clock.set(TOMORROW);
    expect(desk.opens(uid, first.lock.id)).toBe(false);
  });

  it("is issued once, and not for a past period", async () => {
    const uid = desk.newUid();
    const stayId = await desk.checkIn(first.roomId);
    const give = (fields: object) => codeOf(addOverTheAir(desk.owner, airCardInput.parse({ uid, ...fields })));
    expect(await give({ roomIds: [first.roomId], validTo: "2026-11-17T00:00:00Z" })).toBe("invalid_input");
    expect(await give({ stayId, roomIds: [second.roomId] })).toBe("invalid_input");
    expect(await give({ stayId })).toBe("done");
    expect(await give({ stayId })).toBe("card_in_use");
  });
});

describe("access to cards", () => {
  it("depends on capability, room and hotel", async () => {
    const card = await issueManagementCard([first.roomId]);
    const stayId = await desk.checkIn(first.roomId);
    const guests = await desk.issue(stayId, desk.newUid());
    const roomClerk = await clerk([first.roomId]);
    const elsewhere = await clerk([second.roomId]);
    const stranger = await (await world.createHotel()).scope();
    const master = prepareMasterInput.parse({ kind: "universal", uid: desk.newUid(), note: "x" });
    for (const scope of [roomClerk, elsewhere]) {
      expect(await codeOf(prepareMaster(scope, master))).toBe("no_permission");
      expect(await codeOf(setRooms(scope, { cardId: card.cardId, roomIds: [first.roomId] }))).toBe("no_permission");
      expect(await codeOf(revoke(scope, { cardId: card.cardId, reason: "lost" }))).toBe("not_found");
      const overwrite = prepareCardInput.parse({ stayId, uid: card.uid });
      expect(await codeOf(prepare(scope, overwrite))).toBe(scope === roomClerk ? "card_in_use" : "not_found");
    }
    for (const scope of [elsewhere, stranger]) {
      expect(await codeOf(revoke(scope, { cardId: guests.cardId, reason: "lost" }))).toBe("not_found");
      const air = airCardInput.parse({ uid: desk.newUid(), roomIds: [first.roomId], validTo: TOMORROW });
      expect(await codeOf(addOverTheAir(scope, air))).toBe("not_found");
      expect(await list(scope, cardsInput.parse({ state: "all" }))).toEqual({ rows: [], total: 0 });
    }
    expect(await codeOf(setRooms(stranger, { cardId: card.cardId, roomIds: [first.roomId] }))).toBe("not_found");
    const clerkCards = await list(roomClerk, cardsInput.parse({}));
    expect(clerkCards.rows.map(({ id }) => id)).toEqual([guests.cardId]);
    const otherStayId = await desk.checkIn(second.roomId);
    const take = prepareCardInput.parse({ stayId: otherStayId, uid: guests.uid });
    expect(await codeOf(prepare(elsewhere, take)), "an active card of another room").toBe("card_in_use");
  });
});

describe("a management card with common doors", () => {
  const rowOf = async (cardId: number) =>
    (await list(desk.owner, cardsInput.parse({ kind: "management", state: "all" }))).rows.find(
      ({ id }) => id === cardId,
    );

  it("opens them beside its rooms or alone, and is listed with their names", async () => {
    const linen = await desk.commonDoor("Linen room");
    const card = await desk.issueMaster("management", desk.newUid(), {
      roomIds: [first.roomId],
      doorIds: [linen.doorId],
    });
    for (const { lock } of [first, second, linen]) await desk.deliver(lock.id);
    expect([first, second, linen].map(({ lock }) => desk.opens(card.uid, lock.id))).toEqual([true, false, true]);
    expect(await rowOf(card.cardId)).toMatchObject({
      ...{ roomName: "101, Linen room", roomNames: ["101", "Linen room"], standing: "active" },
      ...{ roomIds: [first.roomId], doorIds: [linen.doorId] },
    });
    const alone = await desk.issueMaster("management", desk.newUid(), { doorIds: [linen.doorId] });
    await desk.deliver(linen.lock.id);
    expect([first, linen].map(({ lock }) => desk.opens(alone.uid, lock.id))).toEqual([false, true]);
  });

  it("loses and gains them with their rooms, and keeps them for callers that know only rooms", async () => {
    const linen = await desk.commonDoor("Linen room");
    const store = await desk.commonDoor("Store");
    const { cardId, uid } = await desk.issueMaster("management", desk.newUid(), { doorIds: [linen.doorId] });
    const opens = async () => {
      for (const { lock } of [first, linen, store]) await desk.deliver(lock.id);
      return [first, linen, store].map(({ lock }) => desk.opens(uid, lock.id));
    };
    await setRooms(desk.owner, { cardId, roomIds: [first.roomId] });
    expect(await opens()).toEqual([true, true, false]);
    await setRooms(desk.owner, { cardId, roomIds: [], doorIds: [store.doorId] });
    expect(await listPendingRevocations(desk.owner)).toHaveLength(2);
    expect(await opens()).toEqual([false, false, true]);
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
  });

  it("opens the next lock of the door too, and no longer the door once it is removed", async () => {
    const linen = await desk.commonDoor("Linen room");
    const { cardId, uid } = await desk.issueMaster("management", desk.newUid(), { doorIds: [linen.doorId] });
    const spare = await desk.commonDoor("Spare");
    await desk.deliver(linen.lock.id);
    const named = { kind: "facility" as const, name: "Linen room", id: linen.doorId };
    await doors.remove(desk.owner, { doorId: spare.doorId });
    await doors.save(desk.owner, { ...named, lockId: spare.lock.id });
    for (const { lock } of [linen, spare]) await desk.deliver(lock.id);
    expect([linen, spare].map(({ lock }) => desk.opens(uid, lock.id))).toEqual([false, true]);
    await doors.remove(desk.owner, { doorId: linen.doorId });
    await desk.deliver(spare.lock.id);
    expect(desk.opens(uid, spare.lock.id)).toBe(false);
    expect(await rowOf(cardId)).toMatchObject({ doorIds: [], roomName: null });
  });

  it("needs doors of the hotel with a lock that reads cards, and the right to make such cards", async () => {
    const linen = await desk.commonDoor("Linen room");
    const { doorId: bare } = await doors.save(desk.owner, { name: "Bare", kind: "other", lockId: null });
    const make = (doorIds: number[], scope = desk.owner) =>
      codeOf(
        prepareMaster(
          scope,
          prepareMasterInput.parse({ kind: "management", uid: desk.newUid(), note: "Linen", doorIds }),
        ),
      );
    expect(await make([bare])).toBe("lock_missing");
    expect(await make([999_999])).toBe("not_found");
    await world.database.prisma.lock.update({ where: { id: linen.lock.id }, data: { driver: "ttlock" } });
    expect(await make([linen.doorId])).toBe("lock_reads_no_cards");
    await world.database.prisma.lock.update({ where: { id: linen.lock.id }, data: { driver: "mqtt" } });
    const stranger = await (await world.createHotel()).scope();
    expect(await make([linen.doorId], stranger)).toBe("not_found");
    const staff = await hotel.scope("staff", { capabilities: ["cards.master"], roomIds: [first.roomId] });
    expect(await make([linen.doorId], staff)).toBe("no_permission");
    expect(prepareMasterInput.safeParse({ kind: "management", uid: "DA3CBC66", note: "Linen" }).success).toBe(false);
  });
});

describe("the list of cards", () => {
  it("shows the state at each lock, and finds by number, note and room", async () => {
    const card = await issueManagementCard([first.roomId, second.roomId], "DA3CBC66");
    await desk.deliver(first.lock.id);
    const stayId = await desk.checkIn(first.roomId);
    const guests = await desk.issue(stayId, desk.newUid());
    const ask = async (fields: object) => (await list(desk.owner, cardsInput.parse(fields))).rows;
    expect(await ask({ kind: "management" })).toMatchObject([
      {
        id: card.cardId,
        roomName: "101, 102",
        credentials: [
          { roomName: "101", state: "confirmed", lockId: first.lock.id, nextTryAt: null },
          { roomName: "102", state: "queued", tries: 0, nextTryAt: NOW, label: "Housekeeping" },
        ],
      },
    ]);
    const search = async (query: string) => (await ask({ query })).map(({ id }) => id);
    expect(await search("3661413478")).toEqual([card.cardId]);
    expect(await search("housek")).toEqual([card.cardId]);
    expect(await search("101")).toEqual([guests.cardId, card.cardId]);
    expect(await search("%")).toEqual([]);
    expect((await ask({ kind: "guest" }))[0]).toMatchObject({ stayId, guestName: expect.stringContaining("Holder") });
    await revoke(desk.owner, { cardId: guests.cardId, reason: "by_hand" });
    await desk.deliver(first.lock.id);
    expect((await ask({ state: "ended" })).map(({ id }) => id)).toEqual([guests.cardId]);
    expect(await list(desk.owner, cardsInput.parse({ page: 9 }))).toEqual({ rows: [], total: 1 });
  });
});
