import { DomainError } from "@innkey/shared/errors";
import { lockStatusOf } from "@innkey/shared/locks/lock-status";
import { type LockArgs, lockArgs } from "@innkey/shared/locks/protocol";
import { lockInput } from "@innkey/shared/schemas/access/locks";
import { roomInput } from "@innkey/shared/schemas/property/rooms";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestWorld, type TestHotel, type TestWorld } from "../../../../test/harness/hotel.ts";
import { createLockBench, type LockBench } from "../../../../test/locks/locks.ts";
import type { Lock } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import * as rooms from "../../desk/save-room.ts";
import { profileInUse } from "../cards/card-keys.ts";
import { grantCredential } from "../credentials/credentials.ts";
import { listPendingRevocations } from "../credentials/pending-revocations.ts";
import { enqueue, openArgs } from "../lock-commands/commands.ts";
import { accessHash, StoredDeviceAccess } from "../lock-links/device-access.ts";
import { type LinkSettings, sealSettings } from "../lock-links/device-links.ts";
import { configureLock } from "./configure.ts";
import { openLockSecret } from "./lock-secrets.ts";
import * as queries from "./locks.queries.ts";
import * as locks from "./locks.service.ts";
import * as registration from "./registration.service.ts";

const NOW = "2026-11-18T14:00:00.000Z";
const MAC = "A4:C1:38:00:1F:2B";
const BROKER = { brokerUrl: "mqtt://192.0.2.1:1883" };

let world: TestWorld;
let hotel: TestHotel;
let owner: Scope;
let bench: LockBench;
let roomId: number;

beforeAll(async () => {
  world = await createTestWorld(NOW);
});
afterAll(() => world.close());
beforeEach(async () => {
  hotel = await world.createHotel();
  owner = await hotel.scope();
  bench = createLockBench(world);
  roomId = await hotel.createRoom("101");
});

const save = (fields: object, scope = owner) => registration.save(scope, lockInput.parse({ mac: MAC, ...fields }));
const refusal = (act: Promise<unknown>): Promise<string | null> =>
  act.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error.code;
    },
  );
const auditEntry = async () =>
  (await world.database.prisma.auditEntry.findMany({ where: { hotelId: hotel.id, entity: "lock" } })).map(
    ({ action }) => action,
  );

/** Returns the arguments of the latest configure command for the lock. */
async function lastConfigure(lock: Pick<Lock, "id">): Promise<LockArgs["configure"]> {
  const commands = await bench.commands(lock.id, "configure");
  return lockArgs.configure.parse(commands.map((command) => openArgs(owner, command)).at(-1));
}

async function grantCard(lock: Lock, uid = "DA3CBC66"): Promise<number> {
  const { prisma } = world.database;
  const profileId = (await prisma.cardProfile.findFirstOrThrow({ where: { hotelId: hotel.id } })).id;
  const window = { validFrom: owner.now(), validTo: null };
  const card = await prisma.card.create({
    data: {
      hotelId: hotel.id,
      uid,
      kind: "management",
      state: "active",
      overTheAir: true,
      sequence: 1,
      profileId,
      ...window,
    },
  });
  const subject = { kind: "card" as const, cardId: card.id, content: { uid, recordNeeded: false } };
  return owner.write((tx) => grantCredential(owner, tx, { id: lock.id, roomId: lock.roomId ?? 0 }, subject, window));
}

describe("registering", () => {
  it("creates a lock, changes it and puts it on a door", async () => {
    const { lockId } = await save({ bluetoothName: "IK" });
    expect(await queries.list(owner)).toMatchObject([
      { id: lockId, mac: MAC, roomId: null, online: false, waiting: 0 },
    ]);
    await save({ id: lockId, bluetoothName: "IK-101", roomId });
    expect(await queries.detail(owner, { lockId })).toMatchObject({
      bluetoothName: "IK-101",
      roomName: "101",
      unusedCodes: 0,
      unmanaged: [],
      credentials: [],
    });
    expect(await auditEntry()).toEqual(["lock.create", "lock.update"]);
  });

  it("refuses the address of another lock, and a door that has a lock", async () => {
    await save({ roomId });
    expect(await refusal(save({}))).toBe("address_taken");
    const other = { mac: "A4:C1:38:00:00:02" };
    expect(await refusal(save({ ...other, roomId }))).toBe("lock_in_use");
    expect(await refusal(save({ ...other, roomId: 999_999 }))).toBe("not_found");
    const zigbee = { driver: "zigbee2mqtt", address: "front door" };
    expect(await refusal(save({ ...other, driver: "zigbee2mqtt" }))).toBe("invalid_input");
    await save({ ...other, ...zigbee });
    expect(await refusal(save({ mac: "A4:C1:38:00:00:03", ...zigbee }))).toBe("address_taken");
    expect(await refusal(save({}, await (await world.createHotel()).scope()))).toBeNull();
  });

  it("removes a lock from the hotel, unless it is online and opens for somebody", async () => {
    const lock = await bench.addLock(owner, { roomId });
    const credential = await grantCard(lock);
    await bench.drain(owner, lock.id);
    expect(await refusal(registration.remove(owner, { lockId: lock.id }))).toBe("lock_in_use");
    await bench.status(lock, "offline");
    await registration.remove(owner, { lockId: lock.id });
    expect(await queries.list(owner)).toEqual([]);
    expect(await refusal(queries.detail(owner, { lockId: lock.id }))).toBe("not_found");
    expect(await bench.credential(credential)).toMatchObject({ state: "revoking", revokeReason: "lock_moved" });
    expect(await listPendingRevocations(owner)).toMatchObject([{ lockId: lock.id, lockRemoved: true }]);
    expect((await bench.commands(lock.id)).filter(({ state }) => state === "queued")).toEqual([]);
    expect((await bench.alerts(lock.id)).filter(({ resolvedAt }) => !resolvedAt)).toEqual([]);
    expect(await save({ mac: lock.mac, roomId })).toEqual({ lockId: lock.id });
    expect(await queries.list(owner)).toMatchObject([{ id: lock.id, roomId, configuredAt: null }]);
    // The lock was not commanded to remove its old credentials, so it is read back when it returns.
    await registration.connect(owner, { lockId: lock.id }, BROKER);
    await bench.status(lock, "online");
    await bench.drain(owner, lock.id);
    expect(bench.driver.typesTo(lock.id)).toContain("read_back");
  });
});

describe("connecting", () => {
  it("gives the lock an account whose password is shown once and is different each time", async () => {
    const { lockId } = await save({ roomId });
    const access = new StoredDeviceAccess(world.database.pool, world.secrets.lock);
    const first = await registration.connect(owner, { lockId }, BROKER);
    expect(first).toMatchObject({
      url: BROKER.brokerUrl,
      user: `${hotel.id}/A4C138001F2B`,
      topic: `lockd/${hotel.id}/A4C138001F2B`,
    });
    expect(await access.authenticate(first.user, first.password)).toMatchObject({
      kind: "lock",
      hotelId: hotel.id,
      mac: MAC,
    });
    const second = await registration.connect(owner, { lockId }, BROKER);
    expect(await access.authenticate(first.user, first.password)).toBeNull();
    expect(await access.authenticate(second.user, second.password)).not.toBeNull();
    expect(await access.authenticate(`${hotel.id}/A4C138001F2C`, second.password)).toBeNull();
    expect(await access.authenticate(`${hotel.id + 1}/A4C138001F2B`, second.password)).toBeNull();
    for (const user of ["", "x", "1/2/3", `zigbee2mqtt-${hotel.id}`]) {
      expect(await access.authenticate(user, "")).toBeNull();
    }
    const rows = await world.database.pool.query(
      "SELECT row_to_json(l)::text || (SELECT json_agg(a)::text FROM audit_entry a) AS text FROM lock l WHERE id = $1",
      [lockId],
    );
    expect(JSON.stringify(rows.rows)).not.toContain(second.password);
    await registration.remove(owner, { lockId });
    expect(await access.authenticate(second.user, second.password)).toBeNull();
  });

  it("admits links below their own topics", async () => {
    const hash = accessHash("secret");
    const link = (settings: LinkSettings) =>
      world.database.prisma.deviceLink.create({
        data: {
          hotelId: hotel.id,
          kind: settings.kind,
          accessHash: hash,
          settingsBox: sealSettings(world.secrets.lock, hotel.id, settings),
        },
      });
    await link({ kind: "zigbee2mqtt", baseTopic: "zigbee" });
    await link({ kind: "home_assistant", prefix: "homeassistant" });
    const access = new StoredDeviceAccess(world.database.pool, world.secrets.lock);
    expect(await access.authenticate(`zigbee2mqtt-${hotel.id}`, "secret")).toMatchObject({
      link: "zigbee2mqtt",
      base: "zigbee",
    });
    expect(await access.authenticate(`home-assistant-${hotel.id}`, "secret")).toMatchObject({ base: "homeassistant" });
    expect(await access.authenticate(`home-assistant-${hotel.id}`, "wrong")).toBeNull();
  });

  it("sends its number, keys, secret and minimum counters, and never returns the secret", async () => {
    const { lockId } = await save({ roomId });
    await world.database.prisma.room.update({ where: { id: roomId }, data: { cardSequence: 9 } });
    await registration.connect(owner, { lockId }, BROKER);
    const configure = await lastConfigure({ id: lockId });
    expect(configure).toMatchObject({ lockNumber: lockId, guestFloor: 9, timeZone: "Europe/Berlin" });
    expect(configure.keys).toMatchObject([{ cipher: "aes" }]);
    const stored = await bench.lock(lockId);
    expect(openLockSecret(owner, lockId, stored.secretBox ?? Buffer.of())).toBe(configure.secret);
    expect(stored.configuredAt).toBeNull();
    await bench.status(stored, "online");
    await bench.drain(owner, lockId);
    expect(await bench.lock(lockId)).toMatchObject({
      configuredAt: owner.now(),
      guestFloor: 9,
      profileId: configure.keys[0]?.id,
    });
    await owner.write((tx) => configureLock(owner, tx, lockId));
    expect((await lastConfigure({ id: lockId })).secret).toBe(configure.secret);
  });

  it("never lowers a minimum sequence that the lock was given", async () => {
    const lock = await bench.addLock(owner, { roomId });
    await owner.write((tx) =>
      enqueue(owner, tx, lock.id, {
        type: "raise_floor",
        subject: "floor:guest",
        args: { kind: "guest", floor: 12 },
      }),
    );
    await owner.write((tx) => configureLock(owner, tx, lock.id));
    expect(await lastConfigure(lock)).toMatchObject({ guestFloor: 12 });
    await bench.drain(owner, lock.id);
    await owner.write((tx) => configureLock(owner, tx, lock.id));
    expect(await lastConfigure(lock)).toMatchObject({ guestFloor: 12 });
  });

  it("sends the minimum one-time counter and the revoked codes above it", async () => {
    const { prisma } = world.database;
    const lock = await bench.addLock(owner, { roomId });
    await prisma.lock.update({ where: { id: lock.id }, data: { otpNext: 9, otpFloor: 5 } });
    for (const [counter, state] of [
      [4, "revoked"],
      [6, "confirmed"],
      [7, "revoked"],
      [8, "revoking"],
    ] as const) {
      const period = { validFrom: owner.now(), validTo: null };
      const { id: passcodeId } = await prisma.passcode.create({
        data: {
          hotelId: hotel.id,
          type: "one_time",
          codeBox: Buffer.alloc(1),
          person: "Ada",
          roomId,
          otpCounter: counter,
          ...period,
        },
      });
      await prisma.credential.create({
        data: { hotelId: hotel.id, lockId: lock.id, roomId, kind: "passcode", state, passcodeId, ...period },
      });
    }
    await owner.write((tx) => configureLock(owner, tx, lock.id));
    expect(await lastConfigure(lock)).toMatchObject({ otpNext: 5, otpSkipped: [7, 8] });
  });

  it("keeps the keys of older cards that are in use", async () => {
    const { prisma } = world.database;
    const lock = await bench.addLock(owner, { roomId });
    const old = await prisma.cardProfile.findFirstOrThrow({ where: { hotelId: hotel.id } });
    const card = { hotelId: hotel.id, kind: "guest" as const, sequence: 1, validFrom: owner.now(), profileId: old.id };
    const live = await prisma.card.create({ data: { ...card, uid: "DA3CBC66", state: "active" } });
    await prisma.cardProfile.update({ where: { id: old.id }, data: { retiredAt: owner.now() } });
    await owner.write((tx) => configureLock(owner, tx, lock.id));
    const keys = (await lastConfigure(lock)).keys.map(({ id }) => id);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(old.id);
    await prisma.card.update({ where: { id: live.id }, data: { state: "revoked" } });
    await owner.write((tx) => configureLock(owner, tx, lock.id));
    expect((await lastConfigure(lock)).keys.map(({ id }) => id)).toEqual([keys[0]]);
  });

  it("configures a new lock before anything else, and reads it back", async () => {
    const lock = await bench.addLock(owner, { roomId }, false);
    await owner.write((tx) => profileInUse(owner, tx));
    await grantCard(lock);
    await grantCard(lock, "11223344");
    await registration.connect(owner, { lockId: lock.id }, BROKER);
    await bench.status(lock, "online");
    await bench.drain(owner, lock.id);
    expect(bench.driver.typesTo(lock.id)).toEqual(["configure", "set_credential", "set_credential", "read_back"]);
    const uids = bench.driver.sent.map(({ command }) => command.args.uid);
    expect(uids).toEqual([undefined, "DA3CBC66", "11223344", undefined]);
    await registration.connect(owner, { lockId: lock.id }, BROKER);
    await bench.drain(owner, lock.id);
    expect(bench.driver.typesTo(lock.id).slice(4)).toEqual(["configure", "read_back"]);
  });

  it("has nothing to set up where another system keeps its keys", async () => {
    const status = async () => (await queries.list(owner)).map((lock) => [lockStatusOf(lock), lock.configuredAt]);
    const { lockId } = await save({ driver: "ttlock", address: "4711" });
    expect(await status()).toEqual([["reachable", NOW]]);
    await save({ id: lockId, driver: "mqtt", address: "" });
    expect(await status()).toEqual([["not_set_up", null]]);
    await save({ id: lockId, driver: "zigbee2mqtt", address: "front door" });
    await registration.remove(owner, { lockId });
    await save({ driver: "zigbee2mqtt", address: "front door" });
    expect(await status()).toEqual([["reachable", NOW]]);
  });

  it("is limited to locks on our own broker", async () => {
    const { lockId } = await save({ driver: "ttlock", address: "4711" });
    expect(await refusal(registration.connect(owner, { lockId }, BROKER))).toBe("state_conflict");
  });
});

describe("a lock that moves", () => {
  it("keeps none of its credentials, and older cards are refused at the new door", async () => {
    const lock = await bench.addLock(owner, { roomId });
    const { id: profileId } = await world.database.prisma.cardProfile.findFirstOrThrow({
      where: { hotelId: hotel.id },
    });
    const ended = { validFrom: owner.now(), validTo: owner.now() };
    await world.database.prisma.card.create({
      data: {
        hotelId: hotel.id,
        uid: "BB",
        kind: "guest",
        state: "revoked",
        profileId,
        sequence: 30,
        lockNumber: lock.id,
        ...ended,
      },
    });
    const credential = await grantCard(lock);
    await bench.drain(owner, lock.id);
    const next = await hotel.createRoom("102");
    await save({ id: lock.id, mac: lock.mac, roomId: next });
    expect(await bench.credential(credential)).toMatchObject({ state: "revoking", revokeReason: "lock_moved" });
    expect(await lastConfigure(lock)).toMatchObject({ guestFloor: 31 });
    expect(await world.database.prisma.room.findUnique({ where: { id: next } })).toMatchObject({ cardSequence: 31 });
    await bench.drain(owner, lock.id);
    expect(await bench.credential(credential)).toMatchObject({ state: "revoked" });
  });

  it("also loses its credentials when the room gets another lock, or none", async () => {
    const lock = await bench.addLock(owner, { roomId });
    const credential = await grantCard(lock);
    await bench.drain(owner, lock.id);
    const room = (mac: string | null) =>
      rooms.save(owner, roomInput.parse({ id: roomId, name: "101", groupId: null, lock: mac && { mac } }));
    await room("A4:C1:38:00:00:09");
    expect(await bench.lock(lock.id)).toMatchObject({ roomId: null });
    expect(await bench.credential(credential)).toMatchObject({ state: "revoking" });
    const before = (await bench.commands(lock.id, "configure")).length;
    await room(lock.mac);
    expect(await bench.commands(lock.id, "configure")).toHaveLength(before + 1);
    await room(null);
    expect(await bench.lock(lock.id)).toMatchObject({ roomId: null });
  });
});

describe("at the door", () => {
  it("opens remotely, and reports the result", async () => {
    const lock = await bench.addLock(owner, { roomId });
    const { commandId } = await locks.open(owner, { roomId });
    expect(await queries.commandState(owner, { commandId })).toEqual({ commandId, state: "queued" });
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id)).toMatchObject({ type: "unlock", expires: "2026-11-18T14:00:30.000Z" });
    await bench.ack(lock);
    expect(await queries.commandState(owner, { commandId })).toMatchObject({ state: "acknowledged" });
    expect((await auditEntry()).at(-1)).toBe("lock.open");
    const { commands, nextCursor } = await queries.commands(owner, { lockId: lock.id, limit: 1 });
    expect(commands).toMatchObject([
      { type: "unlock", state: "acknowledged", operatorName: owner.actor.name, nextTryAt: null },
    ]);
    const older = await queries.commands(owner, { lockId: lock.id, limit: 20, cursor: nextCursor ?? "" });
    expect(older).toMatchObject({ commands: [{ type: "configure" }], nextCursor: null });
    expect(await refusal(queries.commands(owner, { lockId: lock.id, limit: 1, cursor: "x" }))).toBe("invalid_input");
  });

  it("reports when there is no lock or it is offline", async () => {
    expect(await refusal(locks.open(owner, { roomId }))).toBe("lock_missing");
    const lock = await bench.addLock(owner, { roomId });
    await bench.status(lock, "offline");
    expect(await refusal(locks.open(owner, { roomId }))).toBe("lock_offline");
  });

  it("shows a notice at rooms with a lock, and stores it for all rooms", async () => {
    const lock = await bench.addLock(owner, { roomId });
    const locklessRoom = await hotel.createRoom("102");
    const text = "Fire drill at 10";
    expect(await locks.sendRoomDisplayText(owner, { roomIds: [roomId, locklessRoom], text })).toEqual({
      sent: 1,
      withoutLock: ["102"],
    });
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id)).toMatchObject({ type: "notice", args: { text } });
    expect(await world.database.prisma.room.count({ where: { hotelId: hotel.id, bulletin: text } })).toBe(2);
  });

  it("adopts or removes foreign credentials by hand only", async () => {
    const lock = await bench.addLock(owner, { roomId });
    const item = (slot: number) => ({ slot, kind: "card" as const, name: `N${slot}`, validFrom: null, validTo: null });
    const readBack = async (...slots: number[]) => {
      await locks.readBack(owner, { lockId: lock.id });
      await bench.dispatch(lock);
      await bench.ack(lock, { held: slots.map(item) });
    };
    const unmanagedSlots = async () =>
      (await queries.detail(owner, { lockId: lock.id })).unmanaged.map(({ slot }) => slot);
    const open = async () => (await bench.alerts(lock.id)).filter(({ resolvedAt }) => !resolvedAt);
    await readBack(900_001, 900_002);
    expect(await unmanagedSlots()).toEqual([900_001, 900_002]);
    expect(await open()).toMatchObject([{ kind: "unmanaged_code", params: { count: 2 } }]);
    await locks.settleUnmanaged(owner, { lockId: lock.id, slot: 900_001, kind: "card", name: "", act: "adopt" });
    await readBack(900_001, 900_002);
    expect(await unmanagedSlots()).toEqual([900_002]);
    await locks.settleUnmanaged(owner, { lockId: lock.id, slot: 900_002, kind: "card", name: "", act: "remove" });
    await bench.dispatch(lock);
    expect(bench.driver.lastTo(lock.id)).toMatchObject({ type: "remove_credential", args: { slot: 900_002 } });
    await bench.ack(lock);
    expect(await unmanagedSlots()).toEqual([]);
    expect(await open()).toEqual([]);
    expect(
      await refusal(locks.settleUnmanaged(owner, { lockId: lock.id, slot: 5, kind: "card", name: "", act: "remove" })),
    ).toBe("not_found");
  });
});

describe("access to locks", () => {
  it("requires one's own hotel, the room and the permission", async () => {
    const lock = await bench.addLock(owner, { roomId });
    const { commandId } = await locks.open(owner, { roomId });
    const lockId = lock.id;
    const other = await (await world.createHotel()).scope();
    const capabilities = ["locks.view", "locks.open", "locks.retry"];
    const elsewhere = await hotel.scope("staff", { capabilities, roomIds: [await hotel.createRoom("102")] });
    const granted = await hotel.scope("staff", { capabilities, roomIds: [roomId] });
    const unprivileged = await hotel.scope("staff", { roomIds: [roomId] });
    const notice = { roomIds: [roomId], text: "x" };
    const acts = (scope: Scope) => [
      queries.detail(scope, { lockId }),
      queries.commands(scope, { lockId, limit: 1 }),
      queries.commandState(scope, { commandId }),
      locks.open(scope, { roomId }),
      locks.sendRoomDisplayText(scope, notice),
      locks.retry(scope, { lockId }),
    ];
    const managementActs = (scope: Scope) => [
      save({ id: lockId, mac: lock.mac }, scope),
      registration.remove(scope, { lockId }),
      registration.connect(scope, { lockId }, BROKER),
      locks.readBack(scope, { lockId }),
      locks.settleUnmanaged(scope, { lockId, slot: 1, kind: "card", name: "", act: "adopt" }),
    ];
    const answers = (list: Promise<unknown>[]) => Promise.all(list.map(refusal));
    const all = (code: string | null, count: number) => Array.from({ length: count }, () => code);
    expect(await answers([...acts(other), ...managementActs(other)])).toEqual(all("not_found", 11));
    expect(await answers(acts(elsewhere))).toEqual(all("not_found", 6));
    expect(await answers([...acts(unprivileged), ...managementActs(unprivileged)])).toEqual(all("no_permission", 11));
    expect(await answers(managementActs(granted))).toEqual(all("no_permission", 5));
    expect(await answers(acts(granted))).toEqual(all(null, 6));
    expect([await queries.list(other), await queries.list(elsewhere)]).toEqual([[], []]);
    expect(await queries.list(granted)).toHaveLength(1);
  });
});
