import type { DomainError } from "@innkey/shared/errors";
import type { LockEvent } from "@innkey/shared/locks/protocol";
import {
  airCardInput,
  cardsInput,
  prepareCardInput,
  prepareOneShotInput,
  prepareRoomCardInput,
} from "@innkey/shared/schemas/access/cards";
import { replaceLockInput } from "@innkey/shared/schemas/access/locks";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { zoneInput } from "@innkey/shared/schemas/access/zones";
import { alertsInput } from "@innkey/shared/schemas/messaging";
import { moveReservationInput } from "@innkey/shared/schemas/overview/timeline";
import { changeRoomInput, reserveInput } from "@innkey/shared/schemas/stays/stays";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { scopeFactory, systemScopes } from "../../../kernel/scope.ts";
import * as stays from "../../desk/public.ts";
import { list as listAlerts } from "../../messaging/alerts/alerts.service.ts";
import { detail as roomDetail } from "../../property/rooms/rooms.queries.ts";
import { explain } from "../credentials/explain.service.ts";
import { listPendingRevocations } from "../credentials/pending-revocations.ts";
import { compareInventory } from "../lock-commands/compare-inventory.ts";
import { liftBlock } from "../locks/locks.service.ts";
import { handleStatus } from "../locks/presence.ts";
import { readReplacement, replace } from "../locks/replace-lock.ts";
import { create as createCode } from "../passcodes/passcodes.service.ts";
import { UnlockIngest } from "../unlocks/ingest.ts";
import { whoEntered } from "../unlocks/who-entered.queries.ts";
import { fitZoneKeysOfAllHotels } from "../zones/zone-jobs.ts";
import * as zones from "../zones/zones.service.ts";
import { addOverTheAir } from "./air-cards.service.ts";
import { list } from "./cards.queries.ts";
import { confirm, prepare, prepareForRoom, revoke } from "./cards.service.ts";
import { setRooms } from "./master.service.ts";
import { prepareOneShot } from "./one-shot.service.ts";
import { settleCardsOfAllHotels } from "./revoke-cards.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MINUTE = 60_000;

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let first: DeskRoom;
let second: DeskRoom;
let ingest: UnlockIngest;
let seq = 0;

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
  ingest = new UnlockIngest({ database: world.database, clock: world.clock, log: { info: vi.fn() } });
  seq = 0;
});

const codeOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: DomainError) => error.code,
  );
const deliverAll = async () => {
  for (const { lock } of [first, second]) await desk.deliver(lock.id);
};
const report = ({ lock }: Pick<DeskRoom, "lock">, event: Partial<LockEvent>, log: string | null = null) => {
  seq += 1;
  const at = world.clock.now().toISOString();
  const name = { hotelId: hotel.id, mac: lock.mac };
  return ingest.events(name, [{ seq, at, style: "card", success: true, ...event }], log);
};
const opened = (room: Pick<DeskRoom, "lock">, uid: string) => report(room, { credential: { kind: "card", uid } });
const alerts = async () => (await listAlerts(desk.owner, alertsInput.parse({}))).rows;
const scopes = () => systemScopes(world.database, scopeFactory(world));
const clerk = (capabilities: string[], roomIds: number[]) => hotel.scope("staff", { capabilities, roomIds });

describe("an emergency card", () => {
  it("is for every door of the hotel, also one that gets a lock later", async () => {
    const card = await desk.issueMaster("emergency", desk.newUid(), { allDoors: true });
    await deliverAll();
    expect([first, second].map(({ lock }) => desk.opens(card.uid, lock.id))).toEqual([true, true]);
    const third = await desk.room("103");
    const hall = await desk.commonDoor("Hall");
    await fitZoneKeysOfAllHotels(world.database, scopes());
    for (const { lock } of [third, hall]) {
      await desk.deliver(lock.id);
      expect(desk.opens(card.uid, lock.id)).toBe(true);
    }
    const { rows } = await list(desk.owner, cardsInput.parse({ special: true }));
    expect(rows).toMatchObject([{ id: card.cardId, kind: "emergency", allDoors: true, roomIds: [] }]);
  });

  it("of a zone opens that zone's doors only, and no more doors when the zone is gone", async () => {
    const hall = await desk.commonDoor("Hall");
    const zone = zoneInput.parse({ name: "Cellar", kind: "other", isExtra: true, doorIds: [hall.doorId] });
    const { zoneId } = await zones.save(desk.owner, zone);
    const card = await desk.issueMaster("emergency", desk.newUid(), { zoneIds: [zoneId] });
    for (const { lock } of [first, hall]) await desk.deliver(lock.id);
    expect([first, hall].map(({ lock }) => desk.opens(card.uid, lock.id))).toEqual([false, true]);
    await zones.remove(desk.owner, { zoneId });
    await fitZoneKeysOfAllHotels(world.database, scopes());
    for (const { lock } of [first, hall]) await desk.deliver(lock.id);
    expect([first, hall].map(({ lock }) => desk.opens(card.uid, lock.id))).toEqual([false, false]);
  });

  it.each(["emergency", "block_out"] as const)(
    "follows its room group in a hotel without zones and management cards: %s",
    async (kind) => {
      const { id: groupId } = await world.database.prisma.roomGroup.create({
        data: { hotelId: hotel.id, name: "Annex", sort: 1 },
      });
      const moveTo = (roomId: number, group: number | null) =>
        world.database.prisma.room.update({ where: { id: roomId }, data: { groupId: group } });
      await moveTo(first.roomId, groupId);
      const card = await desk.issueMaster(kind, desk.newUid(), { groupIds: [groupId] });
      await moveTo(first.roomId, null);
      await moveTo(second.roomId, groupId);
      await fitZoneKeysOfAllHotels(world.database, scopes());
      const live = { cardId: card.cardId, state: { notIn: ["revoking" as const, "revoked" as const] } };
      expect(await world.database.prisma.credential.findMany({ where: live })).toMatchObject([
        { lockId: second.lock.id },
      ]);
    },
  );

  it("stands in Who entered when it opened, also by a lock whose clock lost its time or is known to be slow", async () => {
    const stayId = await desk.checkIn(first.roomId);
    const card = await desk.issueMaster("emergency", desk.newUid(), { allDoors: true });
    await deliverAll();
    world.clock.advance(MINUTE);
    const opening = { success: true, credential: { kind: "card" as const, uid: card.uid } };
    await report(first, { ...opening, at: "2020-01-01T00:10:00.000Z" });
    await world.database.prisma.lock.update({ where: { id: first.lock.id }, data: { driftSeconds: -7200 } });
    await report(first, { ...opening, at: new Date(world.clock.now().getTime() - 120 * MINUTE).toISOString() });
    const at = world.clock.now().toISOString();
    world.clock.advance(MINUTE);
    const { rooms } = await whoEntered(desk.owner, stayId);
    expect(rooms[0]?.entries).toMatchObject([
      { who: "emergency", at },
      { who: "emergency", at },
    ]);
  });

  it("raises an alert with each opening, and stands in Who entered", async () => {
    const stayId = await desk.checkIn(first.roomId);
    const card = await desk.issueMaster("emergency", desk.newUid(), { allDoors: true });
    await deliverAll();
    await opened(first, card.uid);
    await opened(first, card.uid);
    await report(first, { success: false, reason: "expired", credential: { kind: "card", uid: card.uid } });
    expect(await alerts()).toMatchObject([
      { kind: "emergency_opened", roomName: "101", count: 2, params: { card: "Housekeeping" } },
    ]);
    world.clock.advance(MINUTE);
    const { rooms } = await whoEntered(desk.owner, stayId);
    expect(rooms[0]?.entries.map(({ who, name }) => [who, name])).toEqual([
      ["emergency", "Housekeeping"],
      ["emergency", "Housekeeping"],
    ]);
  });

  it("is recognised by what the lock reports, whoever has prepared its number since, and whatever its clock says", async () => {
    const card = await desk.issueMaster("emergency", desk.newUid(), { allDoors: true });
    await deliverAll();
    await desk.bench.status(first.lock, "offline");
    await revoke(desk.owner, { cardId: card.cardId, reason: "lost" });
    const stayId = await desk.checkIn(second.roomId);
    const input = prepareCardInput.parse({ stayId, uid: card.uid });
    const porter = await clerk(["cards.issue", "cards.view", "stays.view"], [second.roomId]);
    expect(await codeOf(prepare(porter, input))).toBe("card_in_use");
    await prepare(desk.owner, input);
    world.clock.advance(MINUTE);
    await report(first, { credential: { kind: "card", uid: card.uid, card: "emergency" } });
    const records = await world.database.prisma.unlockRecord.findMany({ where: { lockId: first.lock.id } });
    expect(records.map(({ cardId }) => cardId)).toEqual([card.cardId]);
    const unknown = desk.newUid();
    await report(second, { credential: { kind: "card", uid: unknown, card: "emergency" } });
    const used = (await alerts()).filter(({ kind }) => kind === "emergency_opened");
    expect(used.map(({ params }) => params.card).sort()).toEqual(["Housekeeping", unknown].sort());
  });

  it("no longer opens every door once doors were chosen for it, and each removed door is a risk until then", async () => {
    const card = await desk.issueMaster("emergency", desk.newUid(), { allDoors: true });
    await deliverAll();
    await setRooms(desk.owner, { cardId: card.cardId, roomIds: [first.roomId] });
    expect(await listPendingRevocations(desk.owner)).toMatchObject([{ cardId: card.cardId, roomName: "102" }]);
    await deliverAll();
    expect([first, second].map(({ lock }) => desk.opens(card.uid, lock.id))).toEqual([true, false]);
    await revoke(desk.owner, { cardId: card.cardId, reason: "lost" });
    await deliverAll();
    expect(await desk.state(card.cardId)).toBe("revoked");
  });

  it("is issued, changed and seen only by who may encode staff cards", async () => {
    const card = await desk.issueMaster("emergency", desk.newUid(), { allDoors: true });
    const staff = await clerk(["cards.view", "cards.issue", "rooms.view"], [first.roomId]);
    expect((await list(staff, cardsInput.parse({ special: true }))).rows).toEqual([]);
    expect(await codeOf(revoke(staff, { cardId: card.cardId, reason: "lost" }))).toBe("not_found");
    expect(await codeOf(setRooms(staff, { cardId: card.cardId, roomIds: [first.roomId] }))).toBe("no_permission");
  });
});

describe("a block-out card", () => {
  const block = async () => {
    const card = await desk.issueMaster("block_out", desk.newUid(), { roomIds: [first.roomId] });
    await deliverAll();
    const event = { success: false, reason: "block_out_set", credential: { kind: "card", uid: card.uid } } as const;
    await report(first, event);
    return card;
  };
  const boardVersion = async () =>
    (await world.database.prisma.hotelState.findFirstOrThrow({ where: { hotelId: hotel.id } })).boardVersion;
  const blockedSince = async () => (await roomDetail(desk.owner, first.roomId)).lock?.blockedOutAt;

  it("shows the room as blocked once its lock has reported it, with an alert while it lasts", async () => {
    expect(await blockedSince()).toBeNull();
    const before = await boardVersion();
    const card = await block();
    expect(await blockedSince()).toBe(NOW);
    expect(await boardVersion(), "open boards read the room again").not.toBe(before);
    expect(await alerts()).toMatchObject([{ kind: "blocked_out", roomName: "101" }]);
    world.clock.advance(MINUTE);
    await report(first, { success: false, reason: "blocked_out", style: "passcode" });
    expect(await blockedSince()).toBe(NOW);
    await report(first, { success: false, reason: "block_out_lifted", credential: { kind: "card", uid: card.uid } });
    expect(await blockedSince()).toBeNull();
    expect(await alerts()).toEqual([]);
  });

  it("explains why valid keys of guests don't open", async () => {
    const stayId = await desk.checkIn(first.roomId);
    const uid = desk.newUid();
    await desk.issue(stayId, uid);
    const master = await desk.issueMaster("universal", desk.newUid());
    const card = await block();
    const verdictOf = async (number: string) => (await explain(desk.owner, { number, roomId: first.roomId })).verdict;
    expect(await verdictOf(uid)).toBe("blocked_out");
    expect(await verdictOf(master.uid)).toBe("works");
    expect(await verdictOf(card.uid)).toBe("block_out_card");
  });

  it("is lifted from the console: the room is blocked until the lock confirms", async () => {
    await block();
    const viewer = await clerk(["rooms.view"], [first.roomId]);
    expect(await codeOf(liftBlock(viewer, { lockId: first.lock.id }))).toBe("no_permission");
    const porter = await clerk(["rooms.view", "locks.open"], [second.roomId]);
    expect(await codeOf(liftBlock(porter, { lockId: first.lock.id }))).toBe("not_found");
    await liftBlock(desk.owner, { lockId: first.lock.id });
    expect(await blockedSince()).toBe(NOW);
    await desk.deliver(first.lock.id);
    expect(await blockedSince(), "the lock has answered, whether it was blocked or not").toBeNull();
    expect(await alerts()).toEqual([]);
    await report(first, { style: "remote", success: false, reason: "block_out_lifted" });
    expect(await blockedSince()).toBeNull();
    const [entry] = await world.database.prisma.auditEntry.findMany({
      where: { hotelId: hotel.id, action: "lock.lift_block" },
    });
    expect(entry).toMatchObject({ entityId: String(first.lock.id) });
  });

  it("is shown again when the lock refuses a guest because of it, and can be lifted though it isn't shown", async () => {
    await report(first, { success: false, reason: "blocked_out", style: "passcode" });
    expect(await blockedSince()).toBe(NOW);
    await report(first, { success: false, reason: "blocked_out", style: "passcode" });
    expect(await alerts()).toMatchObject([{ kind: "blocked_out", count: 1 }]);
    expect(await codeOf(liftBlock(desk.owner, { lockId: second.lock.id }))).not.toBe("state_conflict");
  });

  it("isn't lifted by what was asked for before it began, or long ago", async () => {
    const waitingLifts = () =>
      world.database.prisma.lockCommand.count({
        where: { hotelId: hotel.id, type: "lift_block", state: "queued", expiresAt: { gt: world.clock.now() } },
      });
    await block();
    await desk.bench.status(first.lock, "offline");
    await liftBlock(desk.owner, { lockId: first.lock.id });
    expect(await waitingLifts()).toBe(1);
    await report(first, { success: false, reason: "blocked_out", style: "passcode" });
    expect(await waitingLifts(), "a refusal says nothing of a later block").toBe(1);
    world.clock.advance(MINUTE);
    await report(first, { success: false, reason: "block_out_set" });
    expect(await waitingLifts()).toBe(0);
    await liftBlock(desk.owner, { lockId: first.lock.id });
    world.clock.advance(20 * MINUTE);
    expect(await waitingLifts()).toBe(0);
  });

  it("ends with the lock's memory, by its status and by its events", async () => {
    for (const tellNewMemory of [
      (log: string) =>
        desk.owner.write(async (tx) => handleStatus(desk.owner, tx, first.lock.id, { state: "online", log }, false)),
      (log: string) => report(first, { success: true, style: "inside" }, log),
    ]) {
      await report(first, { success: true, style: "inside" }, "memory-1");
      await block();
      expect(await blockedSince()).toBeTruthy();
      await tellNewMemory(`memory-${seq + 1}`);
      expect(await blockedSince()).toBeNull();
      expect((await alerts()).filter(({ kind }) => kind === "blocked_out")).toEqual([]);
    }
  });
});

describe("a card to show a room", () => {
  const oneShot = (input: object = {}) =>
    prepareOneShotInput.parse({ roomId: first.roomId, uid: desk.newUid(), note: "Viewing", once: true, ...input });
  const issue = async (input: object = {}, scope = desk.owner) => {
    const card = await prepareOneShot(scope, oneShot(input));
    const others = card.others.map(({ data }) => data);
    desk.chips.set(card.uid, { uid: card.uid, data: card.data, others, cardId: card.cardId });
    await confirm(scope, { cardId: card.cardId, readBack: card.data });
    await deliverAll();
    return card;
  };

  it("is refused for a room that a block-out card blocks", async () => {
    await report(first, { success: false, reason: "block_out_set" });
    expect(await codeOf(prepareOneShot(desk.owner, oneShot()))).toBe("room_blocked");
  });

  it("opens its vacant room for its minutes, and no other door", async () => {
    const card = await issue({ once: false, minutes: 15 });
    expect([first, second].map(({ lock }) => desk.opens(card.uid, lock.id))).toEqual([true, false]);
    world.clock.advance(15 * MINUTE);
    expect(desk.opens(card.uid, first.lock.id)).toBe(false);
  });

  it("is refused for an occupied room, and ends when somebody checks in, even before it was read back", async () => {
    const card = await issue({ minutes: 120 });
    const unread = await prepareOneShot(desk.owner, oneShot());
    await desk.checkIn(first.roomId);
    expect(await listPendingRevocations(desk.owner)).toMatchObject([{ cardId: card.cardId, reason: "new_guest" }]);
    await deliverAll();
    expect(desk.opens(card.uid, first.lock.id)).toBe(false);
    expect(await codeOf(confirm(desk.owner, { cardId: unread.cardId, readBack: unread.data }))).toBe("state_conflict");
    expect(await codeOf(prepareOneShot(desk.owner, oneShot()))).toBe("room_in_use");
  });

  describe("while a party is expected", () => {
    const ARRIVAL = "2026-11-18T15:00:00.000Z";
    const book = async (startsAt: string) => {
      const period = { startsAt, endsAt: "2026-11-20T10:00:00.000Z", unit: "day" };
      const booking = { roomId: first.roomId, ...period, channel: null, guests: [{ name: "Ada" }] };
      return (await stays.reserve(desk.owner, reserveInput.parse(booking))).stayId;
    };
    const code = (stayId: number, input: object = {}) =>
      createCode(
        desk.owner,
        createPasscodeInput.parse({ type: "air", roomIds: [first.roomId], stayId, person: "Ada", ...input }),
      );
    const opensAt = (card: { uid: string }, at: string) => {
      world.clock.set(at);
      return desk.opens(card.uid, first.lock.id);
    };

    it("is refused once a key of the party opens the door", async () => {
      const stayId = await book("2026-11-18T13:00:00.000Z");
      await prepareOneShot(desk.owner, oneShot());
      await code(stayId);
      expect(await codeOf(prepareOneShot(desk.owner, oneShot()))).toBe("key_of_party");
    });

    it("ends when the party's key begins to open", async () => {
      await code(await book(ARRIVAL));
      const card = await issue({ once: false, minutes: 120 });
      expect(card.validTo).toBe(ARRIVAL);
      expect(opensAt(card, "2026-11-18T14:59:00.000Z")).toBe(true);
      expect(opensAt(card, ARRIVAL)).toBe(false);
      world.clock.set("2026-11-18T14:59:30.000Z");
      expect(await codeOf(prepareOneShot(desk.owner, oneShot())), "less than a minute is left").toBe("key_of_party");
    });

    it("gets an earlier end from a key that is made later, or moved earlier", async () => {
      const stayId = await book("2026-11-19T15:00:00.000Z");
      const card = await issue({ once: false, minutes: 240 });
      await code(stayId);
      await deliverAll();
      expect(opensAt(card, "2026-11-18T17:59:00.000Z")).toBe(true);
      world.clock.set(NOW);
      const dates = { startsAt: ARRIVAL, endsAt: "2026-11-20T10:00:00.000Z" };
      await stays.moveReservation(desk.owner, moveReservationInput.parse({ stayId, roomId: first.roomId, ...dates }));
      await deliverAll();
      expect(opensAt(card, "2026-11-18T14:59:00.000Z")).toBe(true);
      expect(opensAt(card, ARRIVAL)).toBe(false);
      const { rows } = await list(desk.owner, cardsInput.parse({ special: true, state: "all" }));
      expect(rows).toMatchObject([{ id: card.cardId, validTo: ARRIVAL, standing: "expired" }]);
    });

    const KINDS: Record<string, (stayId: number) => Promise<unknown>> = {
      "a door code": (stayId) => code(stayId),
      "a card by number": (stayId) =>
        addOverTheAir(desk.owner, airCardInput.parse({ uid: desk.newUid(), stayId, roomIds: [first.roomId] })),
      "a card that an old client writes": () => {
        const period = { validFrom: "2026-11-18T13:30:00.000Z", validTo: "2026-11-20T10:00:00.000Z" };
        const card = { roomId: first.roomId, uid: desk.newUid(), ...period };
        return prepareForRoom(desk.owner, prepareRoomCardInput.parse(card));
      },
    };
    it.each(Object.keys(KINDS))(
      "ends at once with %s that opens at once, even before it was read back",
      async (kind) => {
        const stayId = await book("2026-11-18T13:30:00.000Z");
        const card = await issue({ minutes: 120 });
        const unread = await prepareOneShot(desk.owner, oneShot());
        await KINDS[kind]?.(stayId);
        await deliverAll();
        expect(desk.opens(card.uid, first.lock.id)).toBe(false);
        expect(await codeOf(confirm(desk.owner, { cardId: unread.cardId, readBack: unread.data }))).toBe(
          "state_conflict",
        );
        expect(await codeOf(prepareOneShot(desk.owner, oneShot()))).toBe("key_of_party");
      },
    );

    it("isn't sent to its lock again once it has opened, which it can do only once", async () => {
      const stayId = await book(ARRIVAL);
      const card = await issue({ minutes: 240 });
      await opened(first, card.uid);
      const sent = () =>
        world.database.prisma.lockCommand.count({
          where: { type: "set_credential", credential: { is: { cardId: card.cardId } } },
        });
      expect(await sent()).toBe(1);
      await code(stayId);
      expect(await sent()).toBe(1);
    });

    it("is not outlasted if both are made at the same time", async () => {
      const stayId = await book(ARRIVAL);
      const [card] = await Promise.all([prepareOneShot(desk.owner, oneShot({ minutes: 240 })), code(stayId)]);
      const confirmed = await codeOf(confirm(desk.owner, { cardId: card.cardId, readBack: card.data }));
      const { validTo } = await world.database.prisma.card.findUniqueOrThrow({ where: { id: card.cardId } });
      expect(confirmed === "state_conflict" || validTo?.toISOString() === ARRIVAL).toBe(true);
    });

    it("respects a party in another room whose code opens this one too", async () => {
      const stayId = await desk.checkIn(second.roomId);
      await code(stayId, { roomIds: [first.roomId, second.roomId] });
      expect(await codeOf(prepareOneShot(desk.owner, oneShot()))).toBe("key_of_party");
    });
  });

  it("ends when a party moves in from another room, and when a check-out is undone", async () => {
    const stayId = await desk.checkIn(second.roomId);
    const card = await issue({ minutes: 120 });
    await stays.changeRoom(desk.owner, changeRoomInput.parse({ stayId, roomId: first.roomId, confirmDirty: true }));
    expect(await desk.state(card.cardId)).toBe("revoking");
    await desk.checkOut(stayId);
    const next = await issue({ minutes: 120 });
    await stays.undoCheckOut(desk.owner, { stayId });
    expect(await desk.state(next.cardId)).toBe("revoking");
  });

  it("has ended once it opened, and is taken off its lock", async () => {
    const card = await issue();
    await opened(first, card.uid);
    const { rows } = await list(desk.owner, cardsInput.parse({ special: true, state: "all" }));
    expect(rows).toMatchObject([{ id: card.cardId, once: true, standing: "expired" }]);
    expect(await explain(desk.owner, { number: card.uid, roomId: first.roomId })).toMatchObject({
      verdict: "card_used",
    });
    await settleCardsOfAllHotels(world.database, scopes());
    await deliverAll();
    expect(await desk.state(card.cardId)).toBe("revoked");
    expect(desk.opens(card.uid, first.lock.id)).toBe(false);
  });

  it("ends with its lock, because no other lock knows whether it has opened", async () => {
    const used = await issue();
    const unused = await issue();
    const often = await issue({ once: false });
    await opened(first, used.uid);
    const planned = await readReplacement(desk.owner, { lockId: first.lock.id, driver: "mqtt" });
    const input = replaceLockInput.parse({ lockId: first.lock.id, mac: "A4:C1:38:00:1F:2B", isOffDoor: true });
    const { lockId, access, ...transfer } = await replace(desk.owner, input, { brokerUrl: "mqtt://192.0.2.1:1883" });
    expect(planned).toMatchObject(transfer);
    expect(transfer).toMatchObject({ cards: 1, left: [{ kind: "card", label: "Viewing", reason: "opens_once" }] });
    const { mac } = await desk.bench.lock(lockId);
    desk.model(lockId).pair(access?.pairingSecret ?? "");
    await desk.bench.plane.status({ hotelId: hotel.id, mac }, { state: "online" });
    await desk.deliver(lockId);
    await fitZoneKeysOfAllHotels(world.database, scopes());
    await desk.deliver(lockId);
    expect([used, unused, often].map(({ uid }) => desk.opens(uid, lockId))).toEqual([false, false, true]);
    await settleCardsOfAllHotels(world.database, scopes());
    expect(await Promise.all([used, unused, often].map(({ cardId }) => desk.state(cardId)))).toEqual([
      ...["revoked", "revoked", "active"],
    ]);
    const { revokeReason } = await world.database.prisma.card.findUniqueOrThrow({ where: { id: used.cardId } });
    expect(revokeReason).toBe("used_up");
  });

  it("that has opened isn't sent again to a lock that lost its memory", async () => {
    const [used, unused] = [await issue(), await issue()];
    await opened(first, used.uid);
    await desk.reset(first.lock.id);
    const lock = await desk.bench.lock(first.lock.id);
    await desk.owner.write((tx) => compareInventory(desk.owner, tx, lock, []));
    await deliverAll();
    expect([used, unused].map(({ uid }) => desk.opens(uid, first.lock.id))).toEqual([false, true]);
  });

  it("is issued by the desk for the rooms that it sees, and needs a lock that reads cards", async () => {
    const staff = await clerk(["cards.view", "cards.issue"], [first.roomId]);
    const card = await issue({}, staff);
    expect((await list(staff, cardsInput.parse({ special: true }))).rows).toMatchObject([{ id: card.cardId }]);
    expect(await codeOf(prepareOneShot(staff, oneShot({ roomId: second.roomId })))).toBe("not_found");
    const viewer = await clerk(["cards.view"], [first.roomId]);
    expect(await codeOf(prepareOneShot(viewer, oneShot()))).toBe("no_permission");
    const roomId = await hotel.createRoom("110");
    expect(await codeOf(prepareOneShot(desk.owner, oneShot({ roomId })))).toBe("lock_missing");
    const stranger = await (await world.createHotel()).scope();
    expect(await codeOf(prepareOneShot(stranger, oneShot()))).toBe("not_found");
    expect(await codeOf(revoke(staff, { cardId: card.cardId, reason: "by_hand" }))).toBe("done");
  });
});
