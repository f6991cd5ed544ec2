import { airCardInput } from "@innkey/shared/schemas/access/cards";
import { lockInput, replaceLockInput } from "@innkey/shared/schemas/access/locks";
import { createPasscodeInput } from "@innkey/shared/schemas/access/passcodes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { VirtualLock } from "../../../../../simulators/src/locks/virtual-lock.ts";
import { type CardDesk, createCardDesk, type DeskRoom } from "../../../../test/clients/card-desk.ts";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { addOverTheAir } from "../cards/air-cards.service.ts";
import { revoke } from "../cards/cards.service.ts";
import { removalPlan } from "../cards/removal-plan.ts";
import { listPendingRevocations } from "../credentials/pending-revocations.ts";
import * as passcodes from "../passcodes/passcodes.service.ts";
import * as registration from "./registration.service.ts";
import { replace } from "./replace-lock.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const NEW_MAC = "A4:C1:38:00:1F:2B";

let world: TestWorld;
let hotel: TestHotel;
let desk: CardDesk;
let room: DeskRoom;
let other: DeskRoom;
/** The devices, which keep their lists when they get another pairing secret, by the ids of their locks. */
const devices = new Map<number, VirtualLock>();

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.set(NOW);
  hotel = await world.createHotel();
  desk = await createCardDesk(world, hotel);
  devices.clear();
  desk.bench.driver.reply = ({ id }, command) => ({ outcome: "answered", ack: deviceOf(id).do(command) });
  room = await connectedRoom("101");
  other = await connectedRoom("102");
});

function deviceOf(lockId: number): VirtualLock {
  const device = devices.get(lockId) ?? new VirtualLock({ now: () => world.clock.now().getTime() });
  devices.set(lockId, device);
  return device;
}
async function connectedRoom(name: string): Promise<DeskRoom> {
  const roomId = await hotel.createRoom(name);
  const lock = await desk.bench.addLock(desk.owner, { roomId }, false);
  await connect(lock.id);
  return { roomId, name, lock: await desk.bench.lock(lock.id) };
}
async function connect(lockId: number, secret?: string): Promise<void> {
  const pairingSecret = secret ?? (await registration.connect(desk.owner, { lockId }, desk.bench.plane)).pairingSecret;
  deviceOf(lockId).pair(pairingSecret);
  const { mac } = await desk.bench.lock(lockId);
  await desk.bench.plane.status({ hotelId: hotel.id, mac }, { state: "online", log: deviceOf(lockId).memory.log });
  await deliver(lockId);
}
async function deliver(lockId: number): Promise<void> {
  for (let i = 0; i < 4; i += 1) await desk.deliver(lockId);
}
const exchange = (fields: object) =>
  replace(desk.owner, replaceLockInput.parse({ lockId: room.lock.id, isOffDoor: true, ...fields }), {
    brokerUrl: "mqtt://192.0.2.1:1883",
  });
/** Undoes a replacement, as docs/operators/locks.md says. */
const exchangeBack = (lockId: number) => exchange({ lockId, mac: room.lock.mac });
const code = (stayId: number) =>
  passcodes.create(
    desk.owner,
    createPasscodeInput.parse({ type: "air", roomIds: [room.roomId], person: "Ann", stayId }),
  );

describe("a lock that comes back to the hotel", () => {
  it("forgets the codes and staff cards that ended meanwhile, and may open for them until it confirms that", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const { code: digits } = await code(stayId);
    const staff = await desk.issueMaster("management", desk.newUid(), { roomIds: [room.roomId] });
    await deliver(room.lock.id);
    expect(deviceOf(room.lock.id).enterCode(digits).opened).toBe(true);
    const second = await exchange({ mac: NEW_MAC });
    await connect(second.lockId, second.access?.pairingSecret);
    await desk.checkOut(stayId);
    await revoke(desk.owner, { cardId: staff.cardId, reason: "lost" });
    await deliver(second.lockId);
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
    const undone = await exchangeBack(second.lockId);
    const pending = await listPendingRevocations(desk.owner);
    expect(pending.map(({ kind, lockId }) => [kind, lockId]).sort()).toEqual([
      ["card", room.lock.id],
      ["passcode", room.lock.id],
    ]);
    expect((await removalPlan(desk.owner, { cardId: staff.cardId })).left).toMatchObject([{ lockId: room.lock.id }]);
    await connect(room.lock.id, undone.access?.pairingSecret);
    const device = deviceOf(room.lock.id);
    expect(device.enterCode(digits).opened).toBe(false);
    expect(device.memory.slots).toEqual([]);
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
    expect((await removalPlan(desk.owner, { cardId: staff.cardId })).left).toEqual([]);
  });

  it("has a code of its door in the slot that it had, and removes it at the check-out", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const { code: digits } = await code(stayId);
    await deliver(room.lock.id);
    const second = await exchange({ mac: NEW_MAC });
    const undone = await exchangeBack(second.lockId);
    await connect(room.lock.id, undone.access?.pairingSecret);
    const live = { stayId, state: { notIn: ["revoking" as const, "revoked" as const] } };
    expect(await world.database.prisma.credential.findMany({ where: live })).toMatchObject([
      { lockId: room.lock.id, state: "confirmed", failReason: null },
    ]);
    expect(deviceOf(room.lock.id).enterCode(digits).opened).toBe(true);
    await desk.checkOut(stayId);
    await deliver(room.lock.id);
    expect(deviceOf(room.lock.id).enterCode(digits).opened).toBe(false);
    expect(await listPendingRevocations(desk.owner)).toEqual([]);
  });

  it("opens another room for none of the keys of its former one", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const { code: digits } = await code(stayId);
    const bracelet = desk.newUid();
    await addOverTheAir(desk.owner, airCardInput.parse({ uid: bracelet, stayId }));
    await deliver(room.lock.id);
    expect(deviceOf(room.lock.id).presentCard({ uid: bracelet, read: () => null }).opened).toBe(true);
    await exchange({ mac: NEW_MAC });
    await registration.save(desk.owner, lockInput.parse({ id: other.lock.id, mac: other.lock.mac, roomId: null }));
    await registration.save(desk.owner, lockInput.parse({ mac: room.lock.mac, roomId: other.roomId }));
    await desk.checkIn(other.roomId);
    await connect(room.lock.id);
    const device = deviceOf(room.lock.id);
    expect(device.memory.settings?.lockNumber).toBe(room.lock.id);
    expect(device.enterCode(digits).opened).toBe(false);
    expect(device.presentCard({ uid: bracelet, read: () => null }).opened).toBe(false);
  });

  it("removes ended keys that only its list shows", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const { code: digits } = await code(stayId);
    await deliver(room.lock.id);
    await world.database.prisma.credential.updateMany({
      where: { stayId },
      data: { state: "revoked", revokeReason: "checked_out", atLockFrom: null },
    });
    await connect(room.lock.id);
    expect(deviceOf(room.lock.id).enterCode(digits).opened).toBe(false);
    expect((await desk.bench.lock(room.lock.id)).unmanaged).toEqual([]);
  });
});

describe("a lock that comes from another hotel", () => {
  it("forgets that hotel's codes, and tells nothing about them", async () => {
    const stayId = await desk.checkIn(room.roomId);
    const { code: digits } = await code(stayId);
    await deliver(room.lock.id);
    await registration.save(desk.owner, lockInput.parse({ id: room.lock.id, mac: room.lock.mac, roomId: null }));
    await desk.bench.status(room.lock, "offline");
    await registration.remove(desk.owner, { lockId: room.lock.id });
    const device = deviceOf(room.lock.id);
    const theirs = await world.createHotel();
    const scope = await theirs.scope();
    const roomId = await theirs.createRoom("901");
    const { lockId } = await registration.save(scope, lockInput.parse({ mac: room.lock.mac, roomId }));
    devices.set(lockId, device);
    device.pair((await registration.connect(scope, { lockId }, desk.bench.plane)).pairingSecret);
    const status = { state: "online" as const, log: device.memory.log };
    await desk.bench.plane.status({ hotelId: theirs.id, mac: room.lock.mac }, status);
    for (let i = 0; i < 4; i += 1) await desk.bench.plane.delivery.dispatch(theirs.id, lockId);
    expect(device.memory.settings?.lockNumber).toBe(lockId);
    expect(device.enterCode(digits).opened).toBe(false);
    expect((await desk.bench.lock(lockId)).unmanaged).toEqual([]);
    const alerts = await world.database.prisma.alert.findMany({ where: { lockId } });
    expect(JSON.stringify(alerts)).not.toContain("Ann");
  });
});
