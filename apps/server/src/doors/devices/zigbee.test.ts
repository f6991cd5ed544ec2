import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { createLogger } from "../../infra/logger.ts";
import { codeHash, place, withdraw } from "../../modules/locks/credentials.ts";
import { LinkedEvents } from "../../modules/locks/linked-events.ts";
import { ZigbeeLocks } from "../../modules/locks/zigbee-locks.ts";
import { keepZigbeePeriods } from "../../modules/locks/zigbee-periods.ts";
import type { Browser } from "../../testing/browser.ts";
import { DeviceClient } from "../../testing/device-client.ts";
import { openDevices, type TestDevices } from "../../testing/devices.ts";
import type { TestHotel } from "../../testing/people.ts";
import { createTestServer, failure, type TestServer } from "../../testing/server.ts";
import { SOON } from "../../testing/soon.ts";
import { BadMessages } from "./bad-messages.ts";
import { Turns } from "./turns.ts";
import { zigbeeMessages } from "./zigbee-messages.ts";

/** What zigbee2mqtt is sent and publishes. Source: zigbee2mqtt.io, lock and pin_code. */
const setMessage = z.union([
  z.object({ state: z.literal("UNLOCK") }),
  z.object({
    pin_code: z.object({
      user: z.number().int(),
      user_type: z.literal("unrestricted").optional(),
      user_enabled: z.boolean().optional(),
      pin_code: z.number().int().nullable(),
    }),
  }),
]);
interface PublishedState {
  state?: "LOCK" | "UNLOCK";
  battery?: number;
  action?: string;
  action_source_name?: "keypad" | "rfid" | "manual" | "rf";
  action_user?: number;
  users?: Record<string, { status: "available" | "enabled" | "disabled" }>;
  linkquality?: number;
}

const HOUR = 3_600_000;
const BASE = "zigbee2mqtt";
let server: TestServer;
let devices: TestDevices;
let hotel: TestHotel;
let desk: Browser;
let zigbee: DeviceClient;
let groupId: number;
const log = createLogger("silent");
let serial = 0;

beforeAll(async () => {
  server = await createTestServer();
  devices = await openDevices(server);
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  ({ id: groupId } = await desk.api.groups.save.mutate({ name: "All", sort: 1 }));
  const saved = await desk.api.locks.saveLink.mutate({ kind: "zigbee2mqtt", baseTopic: BASE });
  zigbee = await DeviceClient.connect(devices.plane.url, {
    username: saved.user ?? "",
    password: saved.password ?? "",
  });
  await zigbee.subscribe(`${BASE}/+/set`);
  // Once the console hears the link's own words it hears the doors' too.
  await vi.waitFor(async () => {
    await zigbee.publish(`${BASE}/bridge/state`, { state: "online" });
    const links = await desk.api.locks.links.query();
    if (!links.find(({ kind }) => kind === "zigbee2mqtt")?.lastSeenAt) throw new Error("not heard yet");
  }, SOON);
});
afterAll(async () => {
  await devices.close();
  await server.close();
});

let door: { roomId: number; lockId: number; address: string };
beforeEach(async () => {
  serial += 1;
  const address = `door ${serial}`;
  const mac = `A4:C1:38:00:01:${String(serial).padStart(2, "0")}`;
  const { roomId } = await desk.api.rooms.save.mutate({ name: `${100 + serial}`, groupId });
  const { lockId } = await desk.api.locks.save.mutate({ mac, roomId, driver: "zigbee2mqtt", address });
  door = { roomId, lockId, address };
});

const says = (state: PublishedState) => zigbee.publish(`${BASE}/${door.address}`, { linkquality: 80, ...state });
const asked = async () => setMessage.parse(JSON.parse((await zigbee.on(`${BASE}/${door.address}/set`)).text));
const dispatch = () => devices.dispatch(hotel.id, door.lockId);
const instant = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR).toISOString();

async function giveCode(code: string, from: string, to: string | null): Promise<number> {
  const operator = await server.createOperator(hotel, { role: "owner" });
  const scope = await server.scopeOf(operator);
  return scope.write(async (unit) => {
    const passcode = await unit.db.passcode.create({
      data: {
        hotelId: hotel.id,
        type: "custom",
        codeBox: scope.secrets.code.seal(code),
        person: "Ann",
        roomId: door.roomId,
        validFrom: new Date(from),
        validTo: to === null ? null : new Date(to),
      },
    });
    return place(
      scope,
      unit,
      { id: door.lockId, roomId: door.roomId },
      { kind: "passcode", passcodeId: passcode.id, codeHash: codeHash(scope, code), what: { code } },
      { validFrom: new Date(from), validTo: to === null ? null : new Date(to) },
    );
  });
}
async function takeBack(id: number): Promise<void> {
  const scope = await server.scopeOf(await server.createOperator(hotel, { role: "owner" }));
  await scope.write((unit) => withdraw(scope, unit, { id }, "by_hand"));
}
const credential = (id: number) => server.database.prisma.credential.findUniqueOrThrow({ where: { id } });
const stateOf = async (id: number) => (await credential(id)).state;

it("puts a code on the lock, believes it when the lock says so, and knows who came by it", async () => {
  const id = await giveCode("246813", instant(-1), instant(24));
  await dispatch();
  expect(await asked()).toEqual({
    pin_code: { user: 1, user_type: "unrestricted", user_enabled: true, pin_code: 246813 },
  });
  expect(await stateOf(id)).toBe("sent");
  await says({ battery: 66 });
  await says({ users: { 1: { status: "enabled" } } });
  await expect.poll(() => stateOf(id)).toBe("confirmed");

  await says({ action: "unlock", action_source_name: "keypad", action_user: 1 });
  await expect.poll(() => stateOf(id)).toBe("used");
  await says({ action: "unlock_failure_invalid_pin_or_id", action_source_name: "keypad" });
  await says({ action: "auto_lock" });
  await says({ action: "key_unlock", action_source_name: "manual" });
  const records = () =>
    server.database.prisma.unlockRecord.findMany({ where: { lockId: door.lockId }, orderBy: { lockSeq: "asc" } });
  await expect.poll(async () => (await records()).length).toBe(3);
  expect(await records()).toMatchObject([
    { lockSeq: 1n, style: "passcode", success: true, credentialId: id },
    { lockSeq: 2n, style: "passcode", success: false, reason: "unknown" },
    { lockSeq: 3n, style: "key", success: true },
  ]);
  const lock = await server.database.prisma.lock.findUniqueOrThrow({ where: { id: door.lockId } });
  expect(lock.power).toBe(66);
});

it("keeps an echo once", async () => {
  for (let time = 0; time < 3; time += 1) await says({ action: "unlock", action_source_name: "rfid" });
  await says({ action: "one_touch_unlock", action_source_name: "manual" });
  const styles = async () =>
    (
      await server.database.prisma.unlockRecord.findMany({
        where: { lockId: door.lockId },
        orderBy: { lockSeq: "asc" },
      })
    ).map(({ style }) => style);
  await expect.poll(styles).toEqual(["card", "inside"]);
});

it("keeps an echo once that two workers heard, and what is said again later", async () => {
  const { links, lockReports: reports, scopes } = server.services;
  const worker = () =>
    zigbeeMessages({
      links,
      reports,
      events: new LinkedEvents(scopes, reports),
      locks: new ZigbeeLocks(scopes),
      turns: new Turns(log),
      bad: new BadMessages(log),
      now: () => server.clock.now(),
    });
  const payload = Buffer.from(JSON.stringify({ action: "unlock", action_source_name: "rfid" }));
  const message = { topic: `${BASE}/${door.address}`, payload, retained: false };
  const kept = () => server.database.prisma.unlockRecord.count({ where: { lockId: door.lockId } });
  await Promise.all([worker()(message), worker()(message)]);
  server.clock.advance(1_500);
  await worker()(message);
  expect(await kept()).toBe(1);
  server.clock.advance(2_500);
  await worker()(message);
  await expect.poll(kept).toBe(2);
});

it("believes a code gone only when the lock says so, and gives its number to the next", async () => {
  const id = await giveCode("135791", instant(-1), instant(24));
  await dispatch();
  await asked();
  await says({ users: { 1: { status: "enabled" } } });
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await takeBack(id);
  await dispatch();
  expect(await asked()).toEqual({ pin_code: { user: 1, pin_code: null } });
  await says({ battery: 50, users: { 1: { status: "enabled" }, 2: { status: "available" } } });
  await expect
    .poll(async () => (await server.database.prisma.lock.findUniqueOrThrow({ where: { id: door.lockId } })).power)
    .toBe(50);
  expect(await stateOf(id)).toBe("revoking");
  await says({ users: { 1: { status: "available" }, 2: { status: "available" } } });
  await expect.poll(() => stateOf(id)).toBe("revoked");

  const slots = () => server.database.prisma.zigbeeSlot.count({ where: { lockId: door.lockId, credentialId: id } });
  await expect.poll(slots).toBe(0);
  await giveCode("864200", instant(-1), instant(24));
  await dispatch();
  expect(await asked()).toMatchObject({ pin_code: { user: 1 } });
});

it("leaves alone the users that somebody else set", async () => {
  await says({ users: { 1: { status: "enabled" }, 2: { status: "available" }, 3: { status: "disabled" } } });
  await expect
    .poll(() => server.database.prisma.zigbeeSlot.count({ where: { lockId: door.lockId, credentialId: null } }))
    .toBe(2);
  await giveCode("975310", instant(-1), null);
  await dispatch();
  expect(await asked()).toMatchObject({ pin_code: { user: 2 } });
});

it("switches a code on when its period begins and takes it off when it ends", async () => {
  const id = await giveCode("112358", instant(2), instant(5));
  await dispatch();
  expect(await asked()).toMatchObject({ pin_code: { user: 1, user_enabled: false } });
  await says({ users: { 1: { status: "disabled" } } });
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  const { scopes } = server.services;
  const noted = async () =>
    (await server.database.prisma.zigbeeSlot.findFirst({ where: { lockId: door.lockId } }))?.status;
  await expect.poll(noted).toBe("disabled");
  await keepZigbeePeriods(scopes, hotel.id);
  server.clock.advance(3 * HOUR);
  await keepZigbeePeriods(scopes, hotel.id);
  await keepZigbeePeriods(scopes, hotel.id);
  await dispatch();
  expect(await asked()).toMatchObject({ pin_code: { user: 1, user_enabled: true, pin_code: 112358 } });
  await says({ users: { 1: { status: "enabled" } } });
  await expect.poll(noted).toBe("enabled");

  server.clock.advance(3 * HOUR);
  await expect.poll(() => keepZigbeePeriods(scopes, hotel.id)).toBe(1);
  await dispatch();
  expect(await asked()).toEqual({ pin_code: { user: 1, pin_code: null } });
  await says({ users: { 1: { status: "available" } } });
  await expect.poll(noted).toBeUndefined();
  expect(await keepZigbeePeriods(scopes, hotel.id)).toBe(0);
});

it("never calls a code gone because its time is over: the lock knows no time", async () => {
  const id = await giveCode("192837", instant(-1), instant(1));
  await dispatch();
  await asked();
  await says({ users: { 1: { status: "enabled" } } });
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await takeBack(id);
  server.clock.advance(26 * HOUR);
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  await dispatch();
  expect(await stateOf(id)).toBe("revoking");
  const atRisk = async () => (await desk.api.locks.residual.query()).map(({ credentialId }) => credentialId);
  expect(await atRisk()).toContain(id);
  expect(await asked()).toEqual({ pin_code: { user: 1, pin_code: null } });
  await says({ users: { 1: { status: "available" } } });
  await expect.poll(() => stateOf(id)).toBe("revoked");
  expect(await atRisk()).not.toContain(id);
});

it("does not switch on what is taken back at that moment", async () => {
  const id = await giveCode("271828", instant(1), instant(9));
  await dispatch();
  await asked();
  await says({ users: { 1: { status: "disabled" } } });
  const { prisma, pool } = server.database;
  const slot = () => prisma.zigbeeSlot.findFirst({ where: { lockId: door.lockId } });
  await expect.poll(async () => (await slot())?.status).toBe("disabled");
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  server.clock.advance(2 * HOUR);
  const scope = await server.scopeOf(await server.createOperator(hotel, { role: "owner" }));
  let begun: Promise<unknown> = Promise.resolve();
  await scope.write(async (unit) => {
    await withdraw(scope, unit, { id }, "by_hand");
    begun = keepZigbeePeriods(server.services.scopes, hotel.id);
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
  });
  await begun;
  const waiting = await prisma.lockCommand.findMany({ where: { lockId: door.lockId, state: "queued" } });
  expect(waiting.map(({ type }) => type)).toEqual(["remove_credential"]);
});

it("is asked to open once: nobody knows whether it did, and who stood there may be gone", async () => {
  await zigbee.publish(`${BASE}/${door.address}/availability`, "online");
  const { commandId } = await desk.api.locks.open.mutate({ roomId: door.roomId });
  await dispatch();
  expect(await asked()).toEqual({ state: "UNLOCK" });
  server.clock.advance(9_000);
  await dispatch();
  expect((await desk.api.locks.commandState.query({ commandId })).state).toBe("failed");
});

it("refuses a code whose leading zero would be lost", async () => {
  const id = await giveCode("012345", instant(-1), instant(24));
  await dispatch();
  expect(await credential(id)).toMatchObject({ state: "failed", failReason: "invalid" });
});

it("opens the door, and names the operator in the record", async () => {
  await zigbee.publish(`${BASE}/${door.address}/availability`, "online");
  const { commandId } = await desk.api.locks.open.mutate({ roomId: door.roomId });
  await dispatch();
  expect(await asked()).toEqual({ state: "UNLOCK" });
  await says({ state: "UNLOCK", action: "unlock", action_source_name: "rf" });
  await expect.poll(async () => (await desk.api.locks.commandState.query({ commandId })).state).toBe("acknowledged");
  const record = await server.database.prisma.unlockRecord.findFirst({ where: { lockId: door.lockId } });
  expect(record?.operatorId).not.toBeNull();
});

it("knows locks that went away, and that the bridge did", async () => {
  const online = async () =>
    (await server.database.prisma.lock.findUniqueOrThrow({ where: { id: door.lockId } })).online;
  await zigbee.publish(`${BASE}/${door.address}/availability`, { state: "online" });
  await expect.poll(online).toBe(true);
  await zigbee.publish(`${BASE}/${door.address}/availability`, "offline");
  await expect.poll(online).toBe(false);
  const error = async () => (await desk.api.locks.links.query()).find(({ kind }) => kind === "zigbee2mqtt")?.lastError;
  await zigbee.publish(`${BASE}/bridge/state`, "offline");
  await expect.poll(error).toBe("gateway");
  await zigbee.publish(`${BASE}/bridge/state`, { state: "online" });
  await expect.poll(error).toBe("");
});

it("can't be reached by another hotel's link", async () => {
  const other = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  for (const baseTopic of [BASE, `${BASE}/x`]) {
    const taken = await failure(other.api.locks.saveLink.mutate({ kind: "zigbee2mqtt", baseTopic }));
    expect(taken.code).toBe("address_taken");
  }
  const saved = await other.api.locks.saveLink.mutate({ kind: "zigbee2mqtt", baseTopic: "z2" });
  const stranger = await DeviceClient.connect(devices.plane.url, {
    username: saved.user ?? "",
    password: saved.password ?? "",
  });
  expect(await stranger.subscribe(`${BASE}/#`)).toBe(128);
  await stranger.publish(`z2/${door.address}`, { action: "unlock", action_source_name: "keypad", battery: 3 });
  void stranger.publish(`${BASE}/${door.address}`, { action: "unlock" }).catch(() => {});
  await stranger.closed;
  await says({ battery: 70 });
  await expect
    .poll(async () => (await server.database.prisma.lock.findUniqueOrThrow({ where: { id: door.lockId } })).power)
    .toBe(70);
  expect(await server.database.prisma.unlockRecord.count({ where: { lockId: door.lockId } })).toBe(0);
});
