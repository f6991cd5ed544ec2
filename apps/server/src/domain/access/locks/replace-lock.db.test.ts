import { DomainError } from "@innkey/shared/errors";
import type { WeekHours } from "@innkey/shared/locks/week-hours";
import { airCardInput } from "@innkey/shared/schemas/access/cards";
import { grantFaceInput } from "@innkey/shared/schemas/access/faces";
import { lockInput, replaceLockInput } from "@innkey/shared/schemas/access/locks";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { lockRecordsInput } from "@innkey/shared/schemas/access/unlocks";
import { zoneInput } from "@innkey/shared/schemas/access/zones";
import { alertsInput } from "@innkey/shared/schemas/messaging";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import * as alerts from "../../messaging/alerts/alerts.service.ts";
import { addOverTheAir } from "../cards/air-cards.service.ts";
import { revoke } from "../cards/cards.service.ts";
import { listPendingRevocations, writeOffKeys } from "../credentials/pending-revocations.ts";
import { grant as grantFace } from "../faces/faces.service.ts";
import { enqueue, openArgs } from "../lock-commands/commands.ts";
import { accessHash } from "../lock-links/device-access.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";
import { UnlockIngest } from "../unlocks/ingest.ts";
import { listLockRecords } from "../unlocks/unlocks.queries.ts";
import * as zones from "../zones/zones.service.ts";
import * as queries from "./locks.queries.ts";
import * as locks from "./locks.service.ts";
import * as registration from "./registration.service.ts";
import { readReplacement, replace } from "./replace-lock.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const TOMORROW = "2026-11-19T14:00:00.000Z";
const MAC = "A4:C1:38:00:1F:2B";
const BROKER = { brokerUrl: "mqtt://192.0.2.1:1883" };
const MORNINGS: WeekHours = [{ days: [1, 2, 3, 4, 5], from: "08:00", to: "12:00" }];

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let stayId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  room = await desk.room("101");
  stayId = await desk.checkIn(room.roomId);
});

const exchange = (fields: object = {}, scope = desk.owner) =>
  replace(scope, replaceLockInput.parse({ lockId: room.lock.id, mac: MAC, ...fields }), BROKER);
const refusal = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return [error.code, ...Object.entries(error.fields ?? {}).map(([path, { key }]) => `${path}: ${key}`)].join(" ");
    },
  );
const code = (fields: object = {}) =>
  passcodes.create(
    desk.owner,
    createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], stayId, person: "Ann", ...fields }),
  );
const airCard = () =>
  addOverTheAir(desk.owner, airCardInput.parse({ uid: desk.newUid(), roomIds: [room.roomId], validTo: TOMORROW }));
/** States of the live keys at a lock, by kind. */
async function keysAt(lockId: number): Promise<[kind: string, state: string][]> {
  const rows = await world.database.prisma.credential.findMany({
    where: { lockId, state: { notIn: ["revoking", "revoked"] } },
    orderBy: [{ kind: "asc" }, { id: "asc" }],
  });
  return rows.map(({ kind, state }) => [kind, state]);
}
/** Enters what the dialog shows into the new lock, which then executes what waits for it. */
async function connectNew(lockId: number, pairingSecret: string | undefined): Promise<void> {
  desk.model(lockId).pair(pairingSecret ?? "");
  const { mac } = await desk.bench.lock(lockId);
  await desk.bench.plane.status({ hotelId: hotel.id, mac }, { state: "online" });
  await desk.deliver(lockId);
}

describe("a broken lock that is replaced", () => {
  it("passes on its door and its keys, which wait for the new lock and open once it is connected", async () => {
    await code();
    await airCard();
    const staff = await desk.issueMaster("management", desk.newUid(), { roomIds: [room.roomId], hours: MORNINGS });
    const universal = await desk.issueMaster("universal", desk.newUid());
    await desk.deliver(room.lock.id);
    const { lockId, access, ...transfer } = await exchange();
    expect(transfer).toEqual({ passcodes: 1, faces: 0, cards: 3, rewrite: [], left: [] });
    expect(access).toMatchObject({ lockId, url: BROKER.brokerUrl, topic: `lockd/${hotel.id}/A4C138001F2B` });
    expect(accessHash(access?.password ?? "").equals((await desk.bench.lock(lockId)).accessHash ?? Buffer.of())).toBe(
      true,
    );
    expect(await queries.list(desk.owner)).toMatchObject([
      { id: lockId, mac: MAC, roomId: room.roomId, online: false },
    ]);
    const waiting = [...Array.from({ length: 3 }, () => ["card", "queued"]), ["passcode", "queued"]];
    expect(await keysAt(lockId)).toEqual(waiting);
    expect(desk.opens(universal.uid, lockId)).toBe(false);
    await connectNew(lockId, access?.pairingSecret);
    expect((await keysAt(lockId)).map(([, state]) => state)).toEqual(Array.from({ length: 4 }, () => "confirmed"));
    expect(desk.opens(universal.uid, lockId)).toBe(true);
    // 15:00 in Berlin is outside the hours of the staff card, which went over with it.
    expect(desk.opens(staff.uid, lockId)).toBe(false);
    world.clock.set("2026-11-19T09:00:00.000Z");
    expect(desk.opens(staff.uid, lockId)).toBe(true);
  });

  it("leaves the hotel with its account, its commands and its alerts, and its records stay readable", async () => {
    const record = { lockSeq: 1, at: NOW, style: "remote" as const, success: true };
    await world.database.prisma.unlockRecord.create({
      data: { hotelId: hotel.id, lockId: room.lock.id, roomId: room.roomId, ...record },
    });
    const { commandId } = await locks.open(desk.owner, { roomId: room.roomId, reason: "maintenance" });
    await desk.bench.status(room.lock, "online", { power: 5 });
    const { lockId } = await exchange();
    const former = await desk.bench.lock(room.lock.id);
    expect(former).toMatchObject({ accessHash: null, pairingBox: null, roomId: null, replacedById: lockId });
    expect(former.deletedAt).toEqual(world.clock.now());
    const commands = await desk.bench.commands(room.lock.id);
    expect(commands.filter(({ state }) => state === "queued" || state === "sent")).toEqual([]);
    expect(commands.find(({ id }) => id === commandId)).toMatchObject({ state: "cancelled", error: "replaced" });
    const { rows } = await alerts.list(desk.owner, alertsInput.parse({ state: "open" }));
    expect(rows.filter((alert) => alert.lockId === room.lock.id)).toEqual([]);
    const at = NOW;
    expect(await queries.detail(desk.owner, { lockId: room.lock.id })).toMatchObject({
      replacedBy: { lockId, mac: MAC, at },
      credentials: [],
    });
    expect(await queries.detail(desk.owner, { lockId })).toMatchObject({
      replaces: { lockId: room.lock.id, mac: room.lock.mac, at },
      replacedBy: null,
    });
    expect((await queries.commands(desk.owner, { lockId: room.lock.id, limit: 20 })).commands).not.toEqual([]);
    expect((await listLockRecords(desk.owner, lockRecordsInput.parse({ lockId: room.lock.id }))).records).toHaveLength(
      1,
    );
    const entry = await world.database.prisma.auditEntry.findFirstOrThrow({
      where: { hotelId: hotel.id, action: "lock.replace" },
    });
    expect(entry).toMatchObject({
      entityId: String(room.lock.id),
      before: { mac: room.lock.mac, roomId: room.roomId },
      after: { lockId, mac: MAC },
    });
  });

  it("says which written cards have to be written again, and these keep their common doors until then", async () => {
    const entrance = await desk.commonDoor("Entrance");
    await zones.save(
      desk.owner,
      zoneInput.parse({ kind: "entrance", name: "Entrance", everyGuest: true, doorIds: [entrance.doorId] }),
    );
    await desk.deliver(entrance.lock.id);
    const { uid, cardId } = await desk.issue(stayId, desk.newUid());
    expect([desk.opens(uid, room.lock.id), desk.opens(uid, entrance.lock.id)]).toEqual([true, true]);
    const planned = await readReplacement(desk.owner, { lockId: room.lock.id, driver: "mqtt" });
    expect(planned).toMatchObject({ passcodes: 0, cards: 0, rewrite: [{ cardId, label: uid }], left: [] });
    const { lockId, access, rewrite } = await exchange();
    expect(rewrite).toEqual(planned.rewrite);
    expect(rewrite[0]?.guestName).toMatch(/^Holder/);
    await connectNew(lockId, access?.pairingSecret);
    await desk.deliver(entrance.lock.id);
    expect([desk.opens(uid, lockId), desk.opens(uid, entrance.lock.id)]).toEqual([false, true]);
    const marked = () => alerts.list(desk.owner, alertsInput.parse({ kind: "cards_to_rewrite", state: "open" }));
    expect((await marked()).rows).toMatchObject([{ lockId, params: { count: 1 } }]);
    await desk.issue(stayId, uid);
    expect([desk.opens(uid, lockId), desk.opens(uid, entrance.lock.id)]).toEqual([true, true]);
    expect((await marked()).rows).toEqual([]);
  });

  it("names what can't go over: one-time codes, and written cards where the new lock reads none", async () => {
    await code({ type: "one_time", stayId: null, validTo: TOMORROW, person: "Plumber" });
    await desk.issueMaster("management", desk.newUid(), { roomIds: [room.roomId] });
    await desk.issue(stayId, desk.newUid());
    await code();
    await desk.deliver(room.lock.id);
    const zigbee = { driver: "zigbee2mqtt", address: "door 101" };
    const planned = await readReplacement(desk.owner, { lockId: room.lock.id, driver: "zigbee2mqtt" });
    const { access, lockId, ...transfer } = await exchange(zigbee);
    expect(access).toBeNull();
    expect(planned).toMatchObject(transfer);
    expect(transfer).toMatchObject({ passcodes: 1, cards: 0, rewrite: [] });
    expect(transfer.left.map(({ kind, reason }) => [kind, reason]).sort()).toEqual([
      ["card", "no_records"],
      ["card", "no_records"],
      ["passcode", "one_time"],
    ]);
    expect(transfer.left).toContainEqual({
      key: expect.any(String),
      kind: "passcode",
      label: "Plumber",
      reason: "one_time",
    });
    expect(await keysAt(lockId)).toEqual([["passcode", "queued"]]);
  });

  it("names keys with days and hours where the new lock has none", async () => {
    await code({ stayId: null, person: "Plumber", validTo: TOMORROW, hours: MORNINGS });
    await desk.deliver(room.lock.id);
    const lockId = room.lock.id;
    const left = [expect.objectContaining({ kind: "passcode", label: "Plumber", reason: "no_hours" })];
    expect(await readReplacement(desk.owner, { lockId, driver: "zigbee2mqtt" })).toMatchObject({ passcodes: 0, left });
    expect(await readReplacement(desk.owner, { lockId, driver: "mqtt" })).toMatchObject({ passcodes: 1, left: [] });
    const replaced = await exchange({ driver: "zigbee2mqtt", address: "door 101" });
    expect(replaced).toMatchObject({ passcodes: 0, left });
    expect(await keysAt(replaced.lockId)).toEqual([]);
  });

  it("says of each kind why it wasn't granted: the number of a card, the digits of a code, or that it is over", async () => {
    const air = desk.newUid();
    await addOverTheAir(desk.owner, airCardInput.parse({ uid: air, roomIds: [room.roomId], validTo: TOMORROW }));
    const taken = await code({ stayId: null, person: "Plumber", validTo: TOMORROW });
    await code({ person: "Guest" });
    const at = world.clock.now();
    const face = await world.database.prisma.face.create({
      data: { hotelId: hotel.id, note: "Guest’s face", consentAt: at, createdAt: at },
    });
    await grantFace(desk.owner, grantFaceInput.parse({ faceId: face.id, stayId }));
    const spare = await desk.bench.addLock(desk.owner);
    await desk.owner.write(async (tx) => {
      const expiresAt = new Date(TOMORROW);
      await enqueue(desk.owner, tx, spare.id, {
        type: "block_card",
        subject: `card:${air}`,
        args: { uid: air, until: TOMORROW },
        expiresAt,
      });
    });
    const { codeHash } = await world.database.prisma.credential.findFirstOrThrow({
      where: { passcodeId: taken.passcodeId },
    });
    const other = await code({ stayId: null, person: "Electrician", validTo: TOMORROW });
    await world.database.prisma.credential.updateMany({
      where: { passcodeId: other.passcodeId },
      data: { lockId: spare.id, roomId: null, codeHash, state: "revoking" },
    });
    await world.database.prisma.stay.update({
      where: { id: stayId },
      data: { startsAt: new Date("2026-11-16T14:00:00.000Z"), endsAt: new Date("2026-11-17T14:00:00.000Z") },
    });
    const { left } = await exchange({ mac: spare.mac });
    expect(left.map(({ kind, label, reason }) => [kind, label, reason]).sort()).toEqual([
      ["card", air, "refused"],
      ["face", "Guest’s face", "not_granted"],
      ["passcode", "Guest", "not_granted"],
      ["passcode", "Plumber", "code_taken"],
    ]);
  });

  describe("while a block-out card keeps guests out", () => {
    const BEGAN = "2026-11-18T13:00:00.000Z";
    const blockOut = (lockId: number, at = BEGAN) =>
      world.database.prisma.lock.update({ where: { id: lockId }, data: { blockedOutAt: new Date(at) } });
    const endedBlockOuts = async () => {
      const { rows } = await alerts.list(desk.owner, alertsInput.parse({ state: "open", kind: "block_out_ended" }));
      return rows.map(({ lockId, roomName, params }) => ({ lockId, roomName, params }));
    };

    it("is replaced only by somebody who has seen since when", async () => {
      const seen = async () =>
        (await readReplacement(desk.owner, { lockId: room.lock.id, driver: "mqtt" })).blockedOutAt;
      expect(await seen()).toBeNull();
      await blockOut(room.lock.id);
      const blockedOutAt = await seen();
      expect(blockedOutAt).toBe(BEGAN);
      const conflict = "state_conflict blockedOutAt: validation.required";
      expect(await refusal(exchange())).toBe(conflict);
      await blockOut(room.lock.id, NOW);
      expect(await refusal(exchange({ blockedOutAt })), "another block-out began since").toBe(conflict);
      await world.database.prisma.lock.update({ where: { id: room.lock.id }, data: { blockedOutAt: null } });
      expect(await refusal(exchange({ blockedOutAt })), "it was lifted since").toBe(conflict);
      await exchange();
      expect(await endedBlockOuts()).toEqual([]);
    });

    it("leaves an alert at the new lock, and at its successors, until the door is blocked again", async () => {
      await blockOut(room.lock.id);
      const first = await exchange({ blockedOutAt: BEGAN, isOffDoor: true });
      const ended = { roomName: "101", params: { at: BEGAN } };
      expect(await endedBlockOuts()).toEqual([{ lockId: first.lockId, ...ended }]);
      const [entry] = await world.database.prisma.auditEntry.findMany({
        where: { hotelId: hotel.id, action: "lock.replace" },
      });
      expect(entry?.before).toMatchObject({ blockedOutAt: BEGAN });
      const { lockId } = await exchange({ lockId: first.lockId, mac: "A4:C1:38:00:1F:2C", isOffDoor: true });
      expect(await endedBlockOuts()).toEqual([{ lockId, ...ended }]);
      const { mac } = await desk.bench.lock(lockId);
      const ingest = new UnlockIngest({ database: world.database, clock: world.clock, log: { info: vi.fn() } });
      await ingest.events({ hotelId: hotel.id, mac }, [
        { seq: 1, at: NOW, style: "card", success: false, reason: "block_out_set" },
      ]);
      expect(await endedBlockOuts()).toEqual([]);
    });

    it("leaves an alert at its room too if it is removed, or moves away", async () => {
      await blockOut(room.lock.id);
      await desk.bench.status(room.lock, "offline");
      await registration.remove(desk.owner, { lockId: room.lock.id });
      expect(await endedBlockOuts()).toEqual([{ lockId: room.lock.id, roomName: "101", params: { at: BEGAN } }]);
      const other = await desk.room("102");
      const spare = await desk.room("103");
      await blockOut(other.lock.id, NOW);
      await registration.remove(desk.owner, { lockId: spare.lock.id });
      const { mac } = await desk.bench.lock(other.lock.id);
      await registration.save(desk.owner, lockInput.parse({ id: other.lock.id, mac, roomId: spare.roomId }));
      expect(await endedBlockOuts()).toContainEqual({ lockId: other.lock.id, roomName: "102", params: { at: NOW } });
    });

    it("at a common door leaves the alert there", async () => {
      const entrance = await desk.commonDoor("Entrance");
      await blockOut(entrance.lock.id);
      const { lockId } = await exchange({ lockId: entrance.lock.id, blockedOutAt: BEGAN, isOffDoor: true });
      expect(await endedBlockOuts()).toEqual([{ lockId, roomName: "Entrance", params: { at: BEGAN } }]);
    });
  });

  it("may still open for its keys until somebody says that it is off the door", async () => {
    const { cardId } = await desk.issue(stayId, desk.newUid());
    await code();
    await desk.deliver(room.lock.id);
    await desk.bench.status(room.lock, "offline");
    await revoke(desk.owner, { cardId, reason: "lost" });
    const { lockId, access } = await exchange();
    const atRisk = async () =>
      (await listPendingRevocations(desk.owner)).map((key) => [key.lockId, key.kind, key.lockRemoved]);
    const ofFormer = [
      [room.lock.id, "card", true],
      [room.lock.id, "passcode", true],
    ];
    expect(await atRisk()).toEqual(ofFormer);
    await connectNew(lockId, access?.pairingSecret);
    await exchange({ lockId, mac: "A4:C1:38:00:1F:2C", isOffDoor: true });
    expect(await atRisk()).toEqual(ofFormer);
    await writeOffKeys(desk.owner, { lockId: room.lock.id });
    expect(await atRisk()).toEqual([]);
  });

  it("at a common door passes on its zone and the cards that are blocked there", async () => {
    const entrance = await desk.commonDoor("Entrance");
    await zones.save(
      desk.owner,
      zoneInput.parse({ kind: "entrance", name: "Entrance", everyGuest: true, doorIds: [entrance.doorId] }),
    );
    await desk.deliver(entrance.lock.id);
    const good = await desk.issue(stayId, desk.newUid());
    const lost = await desk.issue(stayId, desk.newUid());
    await code();
    await desk.bench.status(entrance.lock, "offline");
    await revoke(desk.owner, { cardId: lost.cardId, reason: "lost" });
    const { lockId, access, passcodes: moved } = await exchange({ lockId: entrance.lock.id, isOffDoor: true });
    expect(moved).toBe(1);
    const atRisk = async () => (await listPendingRevocations(desk.owner)).map((key) => [key.cardId, key.lockId]);
    expect(await atRisk()).toContainEqual([lost.cardId, lockId]);
    await connectNew(lockId, access?.pairingSecret);
    expect([desk.opens(good.uid, lockId), desk.opens(lost.uid, lockId)]).toEqual([true, false]);
    expect((await atRisk()).filter(([, id]) => id === lockId || id === entrance.lock.id)).toEqual([]);
    expect((await keysAt(lockId)).map(([, state]) => state)).toEqual(["confirmed"]);
  });

  it("can be exchanged for a registered lock on no door, which is taken as it is", async () => {
    const spare = await desk.bench.addLock(desk.owner, { bluetoothName: "Spare" });
    await code();
    const { spares } = await readReplacement(desk.owner, { lockId: room.lock.id, driver: "mqtt" });
    expect(spares).toEqual([{ lockId: spare.id, mac: spare.mac, driver: "mqtt", online: true }]);
    const { lockId, access } = await exchange({ mac: spare.mac, driver: "ttlock", address: "1" });
    expect({ lockId, access }).toEqual({ lockId: spare.id, access: null });
    expect(await desk.bench.lock(spare.id)).toMatchObject({
      driver: "mqtt",
      bluetoothName: "Spare",
      roomId: room.roomId,
    });
    await desk.bench.drain(desk.owner, lockId);
    expect(await keysAt(lockId)).toEqual([["passcode", "confirmed"]]);
  });

  it("shows the room's text on the new lock", async () => {
    await world.database.prisma.room.update({ where: { id: room.roomId }, data: { bulletin: "Pool closed" } });
    const { lockId } = await exchange();
    const [notice] = await desk.bench.commands(lockId, "notice");
    expect(notice && openArgs(desk.owner, notice)).toEqual({ text: "Pool closed" });
  });

  it("comes back in the place of its successor, and opens for none of its earlier cards", async () => {
    const { uid } = await desk.issue(stayId, desk.newUid());
    const { lockId } = await exchange({ isOffDoor: true });
    const undone = await exchange({ lockId, mac: room.lock.mac, isOffDoor: true });
    expect(undone.lockId).toBe(room.lock.id);
    await connectNew(room.lock.id, undone.access?.pairingSecret);
    expect(await queries.list(desk.owner)).toMatchObject([{ id: room.lock.id, roomId: room.roomId, online: true }]);
    expect(desk.opens(uid, room.lock.id)).toBe(false);
    await desk.issue(stayId, uid);
    await desk.deliver(room.lock.id);
    expect(desk.opens(uid, room.lock.id)).toBe(true);
  });
});

describe("a replacement is refused", () => {
  it("for the same lock, one on another door, a lock on no door, and without an address", async () => {
    const other = await desk.room("102");
    const spare = await desk.bench.addLock(desk.owner);
    expect(await refusal(exchange({ mac: room.lock.mac }))).toBe("invalid_input mac: validation.sameLock");
    expect(await refusal(exchange({ mac: other.lock.mac }))).toBe("lock_in_use mac: validation.lockOnDoor");
    expect(await refusal(exchange({ lockId: spare.id }))).toBe("state_conflict");
    expect(await refusal(exchange({ driver: "ttlock" }))).toBe("invalid_input address: validation.required");
    await registration.save(desk.owner, lockInput.parse({ mac: "A4:C1:38:00:00:07", driver: "ttlock", address: "7" }));
    expect(await refusal(exchange({ driver: "ttlock", address: "7" }))).toBe(
      "address_taken address: validation.macTaken",
    );
    expect(await desk.bench.lock(room.lock.id)).toMatchObject({ roomId: room.roomId, deletedAt: null });
  });

  it("to others than managers of this hotel, who learn nothing about its locks", async () => {
    const stranger = await world.createHotel();
    const scope = await stranger.scope();
    expect(await refusal(exchange({}, scope))).toBe("not_found");
    expect(await refusal(readReplacement(scope, { lockId: room.lock.id, driver: "mqtt" }))).toBe("not_found");
    const staff = await hotel.scope("staff", { capabilities: ["locks.view", "locks.open", "locks.retry"] });
    expect(await refusal(exchange({}, staff))).toBe("no_permission");
    expect(await refusal(readReplacement(staff, { lockId: room.lock.id, driver: "mqtt" }))).toBe("no_permission");
    // A lock of another hotel is unknown here, so it is registered like any other.
    const theirs = await registration.save(scope, lockInput.parse({ mac: MAC }));
    const { lockId } = await exchange();
    expect(lockId).not.toBe(theirs.lockId);
    expect(await desk.bench.lock(theirs.lockId)).toMatchObject({ hotelId: stranger.id, roomId: null });
  });
});
