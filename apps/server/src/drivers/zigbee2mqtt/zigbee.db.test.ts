import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { DeviceClient } from "../../../test/clients/device-client.ts";
import type { Browser } from "../../../test/harness/browser.ts";
import type { TestHotel } from "../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer } from "../../../test/harness/server.ts";
import { SOON } from "../../../test/harness/soon.ts";
import { openDevices, type TestDevices } from "../../../test/locks/locks.ts";
import { connectRelay } from "../../adapters/events/connect-relay.ts";
import type { Relay } from "../../adapters/events/relay.ts";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import { codeContext } from "../../domain/access/credentials/credential-content.ts";
import { codeHash, grantCredential, revokeCredentials } from "../../domain/access/credentials/credentials.ts";
import { createLinkedEvents } from "../../domain/access/lock-links/linked-events.ts";
import { applyZigbeePeriods, ZigbeeLocks } from "../../domain/access/lock-links/zigbee-locks.ts";
import { nextId } from "../../kernel/transaction.ts";
import { BadMessages, KeyedQueue } from "../mqtt/lock-messages.ts";

import { zigbeeMessages } from "./zigbee-messages.ts";
import { ZigbeeDevices } from "./zigbee-words.ts";

/** Messages to and from zigbee2mqtt. Source: zigbee2mqtt.io, lock and pin_code. */
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
const getMessage = z.object({ pin_code: z.object({ user: z.number().int() }) });
interface PublishedState {
  state?: "LOCK" | "UNLOCK" | "UNLOCKED";
  lock_state?: "locked" | "unlocked" | "not_fully_locked";
  battery?: number;
  action?: string;
  action_source_name?: "keypad" | "rfid" | "manual" | "rf" | "fingerprint" | "indeterminate";
  action_source_user?: number;
  last_unlock_source?: string;
  last_unlock_user?: string;
  last_successful_pincode_save?: number;
  last_successful_pincode_clear?: number;
  action_user?: number;
  users?: Record<string, { status: "available" | "enabled" | "disabled" }>;
  linkquality?: number;
}

const HOUR = 3_600_000;
const BASE = "zigbee2mqtt";
let server: TestServer;
let relay: Relay;
let devices: TestDevices;
let hotel: TestHotel;
let desk: Browser;
let zigbee: DeviceClient;
let groupId: number;
const log = createLogger("silent");
let serial = 0;

beforeAll(async () => {
  server = await createTestServer();
  relay = await connectRelay(server.database.pool.options.connectionString ?? "", log);
  devices = await openDevices(server, log, relay);
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  ({ id: groupId } = await desk.api.groups.save.mutate({ name: "All", sort: 1 }));
  const saved = await desk.api.locks.saveLink.mutate({ kind: "zigbee2mqtt", baseTopic: BASE });
  zigbee = await DeviceClient.connect(devices.plane.url, {
    username: saved.user ?? "",
    password: saved.password ?? "",
  });
  await zigbee.subscribe(`${BASE}/+/set`);
  await zigbee.subscribe(`${BASE}/+/get`);
  // Once the console receives the link's messages, it also receives those of its locks.
  await vi.waitFor(async () => {
    await zigbee.publish(`${BASE}/bridge/state`, { state: "online" });
    const links = await desk.api.locks.links.query();
    if (!links.find(({ kind }) => kind === "zigbee2mqtt")?.lastSeenAt) throw new Error("not heard yet");
  }, SOON);
});
afterAll(async () => {
  await devices.close();
  await relay.close();
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
const lastSet = async () => setMessage.parse(JSON.parse((await zigbee.on(`${BASE}/${door.address}/set`)).text));
/** zigbee2mqtt reports the status of a code only when asked (zigbee-herdsman-converters, lock_pin_code_response). */
async function answersAbout(user: number, status: "available" | "enabled" | "disabled"): Promise<void> {
  const { pin_code: asks } = getMessage.parse(JSON.parse((await zigbee.on(`${BASE}/${door.address}/get`)).text));
  expect(asks).toEqual({ user });
  await says({ users: { [user]: { status } } });
}
const dispatch = () => devices.dispatch(hotel.id, door.lockId);
const instant = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR).toISOString();

async function giveCode(code: string, from: string, to: string | null): Promise<number> {
  const operator = await server.createOperator(hotel, { role: "owner" });
  const scope = await server.scopeOf(operator);
  return scope.write(async (tx) => {
    const id = await nextId(tx, "passcode");
    const passcode = await tx.db.passcode.create({
      data: {
        id,
        hotelId: hotel.id,
        type: "custom",
        codeBox: scope.secrets.code.seal(code, codeContext(scope, id)),
        person: "Ann",
        roomId: door.roomId,
        validFrom: new Date(from),
        validTo: to === null ? null : new Date(to),
      },
    });
    return grantCredential(
      scope,
      tx,
      { id: door.lockId, roomId: door.roomId },
      { kind: "passcode", passcodeId: passcode.id, codeHash: codeHash(scope, code), content: { code } },
      { validFrom: new Date(from), validTo: to === null ? null : new Date(to) },
    );
  });
}
async function takeBack(id: number): Promise<void> {
  const scope = await server.scopeOf(await server.createOperator(hotel, { role: "owner" }));
  await scope.write((tx) => revokeCredentials(scope, tx, { id }, "by_hand"));
}
const credential = (id: number) => server.database.prisma.credential.findUniqueOrThrow({ where: { id } });
const stateOf = async (id: number) => (await credential(id)).state;

it("sets a code on the lock, confirms it when the lock reports it, and records who opens with it", async () => {
  const id = await giveCode("246813", instant(-1), instant(24));
  await dispatch();
  expect(await lastSet()).toEqual({
    pin_code: { user: 1, user_type: "unrestricted", user_enabled: true, pin_code: 246813 },
  });
  expect(await stateOf(id)).toBe("sent");
  await says({ battery: 66 });
  await answersAbout(1, "enabled");
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

it("stores a repeated message once", async () => {
  for (let time = 0; time < 3; time += 1) await says({ action: "unlock", action_source_name: "rfid" });
  await says({ action: "unlock", action_source_name: "manual" });
  const styles = async () =>
    (
      await server.database.prisma.unlockRecord.findMany({
        where: { lockId: door.lockId },
        orderBy: { lockSeq: "asc" },
      })
    ).map(({ style }) => style);
  await expect.poll(styles).toEqual(["card", "inside"]);
});

it("stores a message that two workers receive once, and a later one again", async () => {
  const { links, lockReports: reports, scopes } = server.services;
  const worker = () =>
    zigbeeMessages({
      links,
      reports,
      events: createLinkedEvents(scopes, reports),
      locks: new ZigbeeLocks(scopes),
      devices: new ZigbeeDevices(),
      keyedQueue: new KeyedQueue(log),
      bad: new BadMessages(log),
      now: () => server.clock.now(),
    });
  const payload = Buffer.from(JSON.stringify({ action: "unlock", action_source_name: "rfid" }));
  const message = { topic: `${BASE}/${door.address}`, payload, retained: false };
  const countRecords = () => server.database.prisma.unlockRecord.count({ where: { lockId: door.lockId } });
  await Promise.all([worker()(message), worker()(message)]);
  server.clock.advance(1_500);
  await worker()(message);
  expect(await countRecords()).toBe(1);
  server.clock.advance(2_500);
  await worker()(message);
  await expect.poll(countRecords).toBe(2);
});

it("confirms a removal only when the lock reports it, and reuses the code's number", async () => {
  const id = await giveCode("135791", instant(-1), instant(24));
  await dispatch();
  await lastSet();
  await answersAbout(1, "enabled");
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await takeBack(id);
  await dispatch();
  expect(await lastSet()).toEqual({ pin_code: { user: 1, pin_code: null } });
  await says({ battery: 50, users: { 1: { status: "enabled" }, 2: { status: "available" } } });
  await expect
    .poll(async () => (await server.database.prisma.lock.findUniqueOrThrow({ where: { id: door.lockId } })).power)
    .toBe(50);
  expect(await stateOf(id)).toBe("revoking");
  await answersAbout(1, "available");
  await expect.poll(() => stateOf(id)).toBe("revoked");

  const slots = () => server.database.prisma.zigbeeSlot.count({ where: { lockId: door.lockId, credentialId: id } });
  await expect.poll(slots).toBe(0);
  await giveCode("864200", instant(-1), instant(24));
  await dispatch();
  expect(await lastSet()).toMatchObject({ pin_code: { user: 1 } });
});

it("does not change users that somebody else set", async () => {
  await says({ users: { 1: { status: "enabled" }, 2: { status: "available" }, 3: { status: "disabled" } } });
  await expect
    .poll(() => server.database.prisma.zigbeeSlot.count({ where: { lockId: door.lockId, credentialId: null } }))
    .toBe(2);
  await giveCode("975310", instant(-1), null);
  await dispatch();
  expect(await lastSet()).toMatchObject({ pin_code: { user: 2 } });
});

it("alerts staff to codes that the console did not set, by their user number", async () => {
  const names = async () =>
    (await desk.api.locks.detail.query({ lockId: door.lockId })).unmanaged.map(({ name, kind }) => [kind, name]);
  const alerts = () =>
    server.database.prisma.alert.findMany({
      where: { lockId: door.lockId, kind: "unmanaged_code", resolvedAt: null },
      select: { params: true },
    });
  await says({ action: "pin_code_added", action_user: 7 });
  await expect.poll(names).toEqual([["passcode", "#7"]]);
  await says({ action: "unlock", action_source_name: "keypad", action_user: 9 });
  await expect.poll(names).toEqual([
    ["passcode", "#7"],
    ["passcode", "#9"],
  ]);
  expect((await alerts()).at(-1)?.params).toMatchObject({ count: 2, type: "passcode", key: "#9" });
  await says({ users: { 7: { status: "available" }, 9: { status: "available" } } });
  await expect.poll(names).toEqual([]);
  expect(await alerts()).toEqual([]);
});

it("does not report a code that it just removed as foreign while zigbee2mqtt repeats it", async () => {
  const id = await giveCode("246814", instant(-1), instant(24));
  await dispatch();
  await answersAbout(1, "enabled");
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await takeBack(id);
  await dispatch();
  await says({ action: "pin_code_deleted", action_user: 1 });
  await expect.poll(() => stateOf(id)).toBe("revoked");
  await says({ users: { 1: { status: "enabled" }, 3: { status: "enabled" } } });
  const detail = () => desk.api.locks.detail.query({ lockId: door.lockId });
  await expect.poll(async () => (await detail()).unmanaged.map(({ name }) => name)).toEqual(["#3"]);
});

it("enables a code when its period begins and removes it when it ends", async () => {
  const id = await giveCode("112358", instant(2), instant(5));
  await dispatch();
  expect(await lastSet()).toMatchObject({ pin_code: { user: 1, user_enabled: false } });
  await answersAbout(1, "disabled");
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  const { scopes } = server.services;
  const slotStatus = async () =>
    (await server.database.prisma.zigbeeSlot.findFirst({ where: { lockId: door.lockId } }))?.status;
  await expect.poll(slotStatus).toBe("disabled");
  await applyZigbeePeriods(scopes, hotel.id);
  server.clock.advance(3 * HOUR);
  await applyZigbeePeriods(scopes, hotel.id);
  await applyZigbeePeriods(scopes, hotel.id);
  await dispatch();
  expect(await lastSet()).toMatchObject({ pin_code: { user: 1, user_enabled: true, pin_code: 112358 } });
  await answersAbout(1, "enabled");
  await expect.poll(slotStatus).toBe("enabled");

  server.clock.advance(3 * HOUR);
  await expect.poll(() => applyZigbeePeriods(scopes, hotel.id)).toBe(1);
  // The lock accepts the code until it confirms the removal, so the console must say so.
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  const atRisk = async () => (await desk.api.locks.pendingRevocations.query()).map(({ credentialId }) => credentialId);
  expect([await stateOf(id), await atRisk()]).toEqual(["revoking", [id]]);
  await dispatch();
  expect(await lastSet()).toEqual({ pin_code: { user: 1, pin_code: null } });
  await answersAbout(1, "available");
  await expect.poll(slotStatus).toBeUndefined();
  expect(await applyZigbeePeriods(scopes, hotel.id)).toBe(0);
  expect([await stateOf(id), await atRisk()]).toEqual(["revoked", []]);
});

it("never treats an expired code as removed, because the lock knows no time", async () => {
  const id = await giveCode("192837", instant(-1), instant(1));
  await dispatch();
  await lastSet();
  await answersAbout(1, "enabled");
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await takeBack(id);
  server.clock.advance(26 * HOUR);
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  await dispatch();
  expect(await stateOf(id)).toBe("revoking");
  const atRisk = async () => (await desk.api.locks.pendingRevocations.query()).map(({ credentialId }) => credentialId);
  expect(await atRisk()).toContain(id);
  expect(await lastSet()).toEqual({ pin_code: { user: 1, pin_code: null } });
  await answersAbout(1, "available");
  await expect.poll(() => stateOf(id)).toBe("revoked");
  expect(await atRisk()).not.toContain(id);
});

it("does not enable a code that is revoked at the same moment", async () => {
  const id = await giveCode("271828", instant(1), instant(9));
  await dispatch();
  await lastSet();
  await answersAbout(1, "disabled");
  const { prisma, pool } = server.database;
  const slot = () => prisma.zigbeeSlot.findFirst({ where: { lockId: door.lockId } });
  await expect.poll(async () => (await slot())?.status).toBe("disabled");
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  server.clock.advance(2 * HOUR);
  const scope = await server.scopeOf(await server.createOperator(hotel, { role: "owner" }));
  let startedWork: Promise<unknown> = Promise.resolve();
  await scope.write(async (tx) => {
    await revokeCredentials(scope, tx, { id }, "by_hand");
    startedWork = applyZigbeePeriods(server.services.scopes, hotel.id);
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
  });
  await startedWork;
  const waiting = await prisma.lockCommand.findMany({ where: { lockId: door.lockId, state: "queued" } });
  expect(waiting.map(({ type }) => type)).toEqual(["remove_credential"]);
});

it("is told to open once, because the result is unknown and the person may have left", async () => {
  await zigbee.publish(`${BASE}/${door.address}/availability`, "online");
  const { commandId } = await desk.api.locks.open.mutate({ roomId: door.roomId });
  await dispatch();
  expect(await lastSet()).toEqual({ state: "UNLOCK" });
  server.clock.advance(9_000);
  await dispatch();
  expect((await desk.api.locks.commandState.query({ commandId })).state).toBe("failed");
});

it("refuses a code that would lose its leading zero", async () => {
  const id = await giveCode("012345", instant(-1), instant(24));
  await dispatch();
  expect(await credential(id)).toMatchObject({ state: "failed", failReason: "invalid" });
});

it("opens the door, and names the operator in the record", async () => {
  await zigbee.publish(`${BASE}/${door.address}/availability`, "online");
  const { commandId } = await desk.api.locks.open.mutate({ roomId: door.roomId });
  await dispatch();
  expect(await lastSet()).toEqual({ state: "UNLOCK" });
  await says({ state: "UNLOCK", action: "unlock", action_source_name: "rf" });
  await expect.poll(async () => (await desk.api.locks.commandState.query({ commandId })).state).toBe("acknowledged");
  const record = await server.database.prisma.unlockRecord.findFirst({ where: { lockId: door.lockId } });
  expect(record?.operatorId).not.toBeNull();
});

it("tracks locks that go offline, and the bridge", async () => {
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
  await expect.poll(error).toBeNull();
});

it("cannot be reached by another hotel's link", async () => {
  const other = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  for (const baseTopic of [BASE, `${BASE}/x`]) {
    const refusal = await failure(other.api.locks.saveLink.mutate({ kind: "zigbee2mqtt", baseTopic }));
    expect(refusal.code).toBe("address_taken");
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

const records = () =>
  server.database.prisma.unlockRecord.findMany({ where: { lockId: door.lockId }, orderBy: { lockSeq: "asc" } });
const lockRow = () => server.database.prisma.lock.findUniqueOrThrow({ where: { id: door.lockId } });

it("accepts a report of programming as an answer, because some locks never list their users", async () => {
  const id = await giveCode("314159", instant(-1), instant(24));
  await dispatch();
  await lastSet();
  await says({ action: "pin_code_added", action_source_name: "rf", action_user: 9 });
  await says({ action: "pin_code_added", action_source_name: "rf", action_user: 1 });
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await takeBack(id);
  await dispatch();
  expect(await lastSet()).toEqual({ pin_code: { user: 1, pin_code: null } });
  await says({ action: "pin_code_deleted", action_source_name: "rf", action_user: 1 });
  await expect.poll(() => stateOf(id)).toBe("revoked");
});

it("enables a code when its period begins on a lock that never lists its users", async () => {
  await giveCode("161803", instant(2), instant(5));
  await dispatch();
  expect(await lastSet()).toMatchObject({ pin_code: { user: 1, user_enabled: false } });
  await says({ action: "pin_code_added", action_source_name: "rf", action_user: 1 });
  const slotStatus = async () =>
    (await server.database.prisma.zigbeeSlot.findFirst({ where: { lockId: door.lockId } }))?.status;
  await expect.poll(slotStatus).toBe("disabled");
  server.clock.advance(3 * HOUR);
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  await applyZigbeePeriods(server.services.scopes, hotel.id);
  await dispatch();
  expect(await lastSet()).toMatchObject({ pin_code: { user: 1, user_enabled: true } });
});

it("accepts a lock that reports only the times of its last saved and cleared code, once they change", async () => {
  await says({ state: "LOCK", last_successful_pincode_save: 1_000, last_successful_pincode_clear: 1_000 });
  const id = await giveCode("141421", instant(-1), instant(24));
  await dispatch();
  await lastSet();
  await says({ battery: 41, last_successful_pincode_save: 1_000, last_successful_pincode_clear: 1_000 });
  await expect.poll(async () => (await lockRow()).power).toBe(41);
  expect(await stateOf(id)).toBe("sent");
  await says({ last_successful_pincode_save: 2_000, last_successful_pincode_clear: 1_000 });
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await takeBack(id);
  await dispatch();
  await lastSet();
  await says({ last_successful_pincode_save: 2_000, last_successful_pincode_clear: 3_000 });
  await expect.poll(() => stateOf(id)).toBe("revoked");
});

it("opens the door while a code is unanswered", async () => {
  const id = await giveCode("173205", instant(-1), instant(24));
  await dispatch();
  await lastSet();
  const { commandId } = await desk.api.locks.open.mutate({ roomId: door.roomId });
  await dispatch();
  expect(await lastSet()).toEqual({ state: "UNLOCK" });
  await says({ state: "UNLOCK", lock_state: "unlocked" });
  await expect.poll(async () => (await desk.api.locks.commandState.query({ commandId })).state).toBe("acknowledged");
  expect(await stateOf(id)).toBe("sent");
  // The returned code command waits for its next try and must not delay other commands.
  server.clock.advance(16_000);
  await dispatch();
  const again = await desk.api.locks.open.mutate({ roomId: door.roomId });
  await dispatch();
  expect(await lastSet()).toEqual({ state: "UNLOCK" });
  expect(again.commandId).not.toBe(commandId);
  await answersAbout(1, "enabled");
  await expect.poll(() => stateOf(id)).toBe("confirmed");
});

it("attributes a remote opening even if the bolt's state arrives first", async () => {
  const { commandId } = await desk.api.locks.open.mutate({ roomId: door.roomId });
  await dispatch();
  await lastSet();
  await says({ state: "UNLOCK", lock_state: "unlocked" });
  await expect.poll(async () => (await desk.api.locks.commandState.query({ commandId })).state).toBe("acknowledged");
  await says({ state: "UNLOCK", lock_state: "unlocked", action: "unlock", action_source_name: "rf" });
  await expect.poll(async () => (await records())[0]?.operatorId).toBeTruthy();
  server.clock.advance(11_000);
  await says({ state: "UNLOCK", lock_state: "unlocked", action: "unlock", action_source_name: "rf" });
  await expect.poll(async () => (await records()).length).toBe(2);
  expect((await records())[1]?.operatorId).toBeNull();
});

/** Publishes the device list retained, as zigbee2mqtt does. */
const devicesAre = (devices: { name: string; vendor: string; codes: boolean }[]) =>
  zigbee.publish(
    `${BASE}/bridge/devices`,
    JSON.stringify(
      devices.map(({ name, vendor, codes }) => ({
        friendly_name: name,
        type: "EndDevice",
        definition: {
          vendor,
          model: "X",
          exposes: [{ type: "lock", features: [] }, ...(codes ? [{ type: "composite", property: "pin_code" }] : [])],
        },
      })),
    ),
    true,
  );

it("reports at once that a lock takes no codes, or no longer does", async () => {
  const devices = new ZigbeeDevices();
  await devicesAre([{ name: door.address, vendor: "Wyze", codes: false }]);
  await says({ battery: 21 });
  await expect.poll(async () => (await lockRow()).power).toBe(21);
  const id = await giveCode("223606", instant(-1), instant(24));
  await dispatch();
  expect(await credential(id)).toMatchObject({ state: "failed", failReason: "unsupported" });

  await devicesAre([{ name: door.address, vendor: "ShinaSystem", codes: true }]);
  await says({ battery: 22 });
  await expect.poll(async () => (await lockRow()).power).toBe(22);
  for (const [at, code] of ["244948", "264575", "282842"].entries()) {
    await giveCode(code, instant(-1), instant(24));
    await dispatch();
    await lastSet();
    await answersAbout(at + 1, "enabled");
    await expect
      .poll(() => server.database.prisma.zigbeeSlot.count({ where: { lockId: door.lockId, status: "enabled" } }))
      .toBe(at + 1);
  }
  const last = await giveCode("316227", instant(-1), instant(24));
  await dispatch();
  expect(await credential(last)).toMatchObject({ state: "failed", failReason: "full" });
  expect(devices.setAbilities(1, { nonsense: true })).toBe(false);
});

it("shows the state of a lock that is registered while zigbee2mqtt runs", async () => {
  await zigbee.publish(`${BASE}/late/availability`, { state: "online" }, true);
  await zigbee.publish(`${BASE}/away/availability`, { state: "offline" }, true);
  await says({ battery: 33 });
  await expect.poll(async () => (await lockRow()).power).toBe(33);
  const register = (address: string, mac: string) =>
    desk.api.locks.save.mutate({ mac, roomId: null, driver: "zigbee2mqtt", address });
  const late = await register("late", "A4:C1:38:00:02:01");
  const away = await register("away", "A4:C1:38:00:02:02");
  const online = async (id: number) => (await server.database.prisma.lock.findUniqueOrThrow({ where: { id } })).online;
  await expect.poll(() => online(late.lockId)).toBe(true);
  // What zigbee2mqtt publishes about an offline lock are cached values.
  await zigbee.publish(`${BASE}/away`, { state: "LOCK", battery: 12 });
  await says({ state: "LOCK", lock_state: "locked" });
  await expect.poll(() => online(door.lockId)).toBe(true);
  expect(await online(away.lockId)).toBe(false);
});

it.each<[string, PublishedState, { style: string; success?: boolean }]>([
  ["EasyAccess", { action: "zigbee_unlock" }, { style: "remote" }],
  ["EasyAccess", { action: "rfid_unlock" }, { style: "card" }],
  ["EasyAccess", { action: "keypad_unlock" }, { style: "passcode" }],
  ["Yale YMC 420", { action: "password_unlock", action_source_user: 3 }, { style: "passcode" }],
  ["Yale YDM60", { action: "fingerprint_unlock" }, { style: "fingerprint" }],
  ["Yale", { action: "unlock", action_source_name: "fingerprint" }, { style: "fingerprint" }],
  ["Yale Solis", { action: "unlock", action_source_name: "indeterminate" }, { style: "unknown" }],
  ["Yale C4", { action: "manual_unlock_key_or_thumbturn", state: "UNLOCKED" }, { style: "unknown" }],
  ["Yale C4", { action: "unlock_module", state: "UNLOCKED" }, { style: "remote" }],
  ["Aqara", { action: "finger_open" }, { style: "fingerprint" }],
  ["Aqara ZNMS11LM", { action: "password_open_user_id7", action_user: 7 }, { style: "passcode" }],
  ["Aqara", { action: "password_not_match" }, { style: "passcode", success: false }],
  ["Aqara", { action: "lock_opened" }, { style: "unknown" }],
  ["Aqara", { action: "lock_opened_inside" }, { style: "inside" }],
  ["Aqara", { action: "lock_opened_outside" }, { style: "unknown" }],
])("understands what %s reports: %o", async (_make, state, { style, success = true }) => {
  await says(state);
  await expect.poll(async () => (await records()).map((row) => [row.style, row.success])).toEqual([[style, success]]);
});

it("takes the last user from Onesti's locks, once for each opening", async () => {
  const id = await giveCode("346410", instant(-1), instant(24));
  await dispatch();
  await lastSet();
  await says({ action: "pin_code_added", action_user: 1 });
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await says({ state: "LOCK", last_unlock_source: "rfid", last_unlock_user: "7" });
  await says({ state: "LOCK", last_unlock_source: "keypad", last_unlock_user: "1" });
  await says({ state: "UNLOCK", last_unlock_source: "keypad", last_unlock_user: "1", action: "keypad_unlock" });
  await says({ state: "UNLOCK", battery: 90, last_unlock_source: "keypad", last_unlock_user: "1" });
  await expect.poll(async () => (await lockRow()).power).toBe(90);
  expect(await records()).toMatchObject([{ style: "passcode", success: true, credentialId: id }]);
});

it("takes the last user from Onesti's locks even if it arrives after the opening", async () => {
  const id = await giveCode("346411", instant(-1), instant(24));
  await dispatch();
  await lastSet();
  await says({ action: "pin_code_added", action_user: 1 });
  await expect.poll(() => stateOf(id)).toBe("confirmed");
  await says({ state: "LOCK", last_unlock_source: "keypad", last_unlock_user: "7" });
  await says({ state: "UNLOCK", last_unlock_source: "keypad", last_unlock_user: "7", action: "keypad_unlock" });
  await says({ state: "UNLOCK", last_unlock_source: "keypad", last_unlock_user: "1" });
  await says({ state: "UNLOCK", battery: 91, last_unlock_source: "keypad", last_unlock_user: "1" });
  await expect.poll(async () => (await lockRow()).power).toBe(91);
  await expect.poll(records).toMatchObject([{ style: "passcode", success: true, credentialId: id }]);
});

it("names nobody for an opening of Onesti's locks without a user", async () => {
  await says({ state: "LOCK", last_unlock_source: "keypad", last_unlock_user: "1" });
  await says({ state: "UNLOCK", last_unlock_source: "keypad", last_unlock_user: "1", action: "keypad_unlock" });
  await expect
    .poll(records, { timeout: 6_000 })
    .toMatchObject([{ style: "passcode", success: true, credentialId: null }]);
});
