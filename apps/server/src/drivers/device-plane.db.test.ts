import { lockEvent } from "@innkey/shared/locks/protocol";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { DeviceClient } from "../../test/clients/device-client.ts";
import type { Browser } from "../../test/harness/browser.ts";
import type { TestHotel } from "../../test/harness/people.ts";
import { createTestServer, type TestServer } from "../../test/harness/server.ts";
import { openDevices, type TestDevices } from "../../test/locks/locks.ts";
import { connectRelay } from "../adapters/events/connect-relay.ts";
import type { Relay } from "../adapters/events/relay.ts";

/** Tests the whole path: console, outbox, device plane, broker, lock, and back. Only the queue is run by hand. */
const sent = z.object({ id: z.uuid(), type: z.string(), args: z.record(z.string(), z.unknown()) });
const lines: string[] = [];
let server: TestServer;
let relay: Relay;
let devices: TestDevices;
let hotel: TestHotel;
let desk: Browser;
let groupId: number;
let serial = 0;

beforeAll(async () => {
  server = await createTestServer();
  relay = await connectRelay(server.database.pool.options.connectionString ?? "", { warn() {} });
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  devices = await openDevices(server, log, relay);
  hotel = await server.createHotel();
  desk = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  ({ id: groupId } = await desk.api.groups.save.mutate({ name: "All", sort: 1 }));
});
afterAll(async () => {
  await devices.close();
  await relay.close();
  await server.close();
});

/** Creates a room with a lock that is set up and online. */
async function door() {
  serial += 1;
  const mac = `A4:C1:38:00:00:${String(serial).padStart(2, "0")}`;
  const { roomId } = await desk.api.rooms.save.mutate({ name: `${100 + serial}`, groupId });
  const { lockId } = await desk.api.locks.save.mutate({ mac, roomId });
  const access = await desk.api.locks.connect.mutate({ lockId });
  const lock = await devices.connectLock(access);
  await lock.subscribe(`${access.topic}/command`);
  await lock.subscribe(`${access.topic}/event/ack`);
  const row = () => server.database.prisma.lock.findUniqueOrThrow({ where: { id: lockId } });
  const next = async () => sent.parse(JSON.parse((await lock.on(`${access.topic}/command`)).text));
  /** Publishes the lock's acknowledgement of a command. */
  const ack = async (answer: object) => {
    await lock.publish(`${access.topic}/ack`, answer);
  };
  /** Answers the first question to a new lock, which keys it has brought along. */
  const answerFirstReadBack = async () => {
    await devices.dispatch(hotel.id, lockId);
    const readBack = await next();
    expect(readBack.type).toBe("read_back");
    await ack({ id: readBack.id, ok: true, held: [] });
    const state = async () =>
      (await server.database.prisma.lockCommand.findUniqueOrThrow({ where: { id: readBack.id } })).state;
    await expect.poll(state).toBe("acknowledged");
  };
  return { mac, roomId, lockId, access, lock, row, next, ack, answerFirstReadBack };
}

it("disconnects a lock that gets a new password, and one that is removed", async () => {
  const other = await door();
  const { lock, lockId } = await door();
  const { user, password } = await desk.api.locks.connect.mutate({ lockId });
  await lock.closed;
  const again = await devices.connectLock({ user, password });
  await desk.api.locks.remove.mutate({ lockId });
  await again.closed;
  expect(other.lock.mqtt.connected).toBe(true);
});

it("configures a lock, opens its door and stores its reports", async () => {
  const { roomId, lockId, access, lock, row, next, ack, answerFirstReadBack } = await door();
  expect(access.url).toBe(devices.plane.url);
  await lock.publish(`${access.topic}/status`, { state: "online", power: 77, firmware: "1.2" }, true);
  await expect.poll(async () => (await row()).online).toBe(true);
  await devices.dispatch(hotel.id, lockId);
  const configure = await next();
  expect(configure.type).toBe("configure");
  await ack({ id: configure.id, ok: true });
  await expect.poll(async () => (await row()).configuredAt).not.toBeNull();
  await answerFirstReadBack();

  const { commandId } = await desk.api.locks.open.mutate({ roomId });
  await devices.dispatch(hotel.id, lockId);
  const unlock = await next();
  expect([unlock.type, unlock.id]).toEqual(["unlock", commandId]);
  await ack({ id: unlock.id, ok: true });
  await expect.poll(async () => (await desk.api.locks.commandState.query({ commandId })).state).toBe("acknowledged");

  const event = lockEvent.parse({
    seq: 1,
    at: "2026-03-02T10:00:00Z",
    style: "remote",
    success: true,
    credential: { kind: "command", id: commandId },
  });
  await lock.publish(`${access.topic}/event`, event);
  expect(JSON.parse((await lock.on(`${access.topic}/event/ack`)).text)).toEqual({ seq: 1 });
  const records = await server.database.prisma.unlockRecord.findMany({ where: { lockId } });
  expect(records).toMatchObject([{ style: "remote", success: true, roomId }]);
  expect(records[0]?.operatorId).not.toBeNull();
  await lock.end();
});

it("marks a lock that disconnects without a message as offline", async () => {
  const { access, row } = await door();
  const will = { topic: `${access.topic}/status`, payload: Buffer.from("offline"), qos: 1 as const, retain: true };
  const lock = await DeviceClient.connect(devices.plane.url, {
    username: access.user,
    password: access.password,
    will,
  });
  await lock.publish(`${access.topic}/status`, { state: "online" }, true);
  await expect.poll(async () => (await row()).online).toBe(true);
  lock.mqtt.stream.destroy();
  await expect.poll(async () => (await row()).online).toBe(false);
});

it("keeps one connection per lock, however its name is spelt", async () => {
  const { access, lock } = await door();
  const again = await devices.connectLock({ ...access, user: `00${access.user.toLowerCase()}` });
  await lock.closed;
  await again.end();
});

it("accepts reports that no database can store, and the reports after them", async () => {
  const { access, lock, row, next, ack, lockId, answerFirstReadBack } = await door();
  await lock.publish(`${access.topic}/status`, { state: "online", firmware: "1.\u0000\ud8002" }, true);
  await expect.poll(async () => (await row()).firmware).toBe("1.2");
  await devices.dispatch(hotel.id, lockId);
  await ack({ id: (await next()).id, ok: true });
  await expect.poll(async () => (await row()).configuredAt).not.toBeNull();
  await answerFirstReadBack();
  await desk.api.locks.readBack.mutate({ lockId });
  await devices.dispatch(hotel.id, lockId);
  const credentials = [{ slot: 900_001, kind: "passcode", name: "Bob\u0000\ud83d" }];
  await ack({ id: (await next()).id, ok: true, held: credentials });
  await expect
    .poll(async () => (await desk.api.locks.detail.query({ lockId })).unmanaged)
    .toMatchObject([{ slot: 900_001, name: "Bob" }]);
  await lock.end();
});

it("keeps a lock that logs in with its new password before every process knows it", async () => {
  const { access, lock, row } = await door();
  const { accessHash, mac } = await row();
  const later = await door();
  const notify = (notice: { mac: string; login: string | null }) =>
    server.database.pool.query("SELECT pg_notify('innkey', $1)", [
      JSON.stringify({ topic: "device-access", hotelId: hotel.id, ...notice }),
    ]);
  await notify({ mac, login: Buffer.from(accessHash ?? "").toString("hex", 0, 8) });
  await notify({ mac: later.mac, login: null });
  await later.lock.closed;
  await lock.publish(`${access.topic}/status`, { state: "online" }, true);
  await expect.poll(async () => (await row()).online).toBe(true);
  expect(lock.mqtt.connected).toBe(true);
  await lock.end();
});

it("refuses a lock whose password was renewed", async () => {
  const { access, lockId } = await door();
  await desk.api.locks.connect.mutate({ lockId });
  await expect(devices.connectLock(access)).rejects.toThrow();
});

it("announces locks to Home Assistant, opens for it, and withdraws them when the link is switched off", async () => {
  const { mac, lockId, access, lock, row, next } = await door();
  await lock.publish(`${access.topic}/status`, { state: "online" }, true);
  await expect.poll(async () => (await row()).online).toBe(true);
  const saved = await desk.api.locks.saveLink.mutate({ kind: "home_assistant", prefix: "homeassistant" });
  expect(saved).toMatchObject({ url: devices.plane.url, user: `home-assistant-${hotel.id}` });
  const home = await DeviceClient.connect(devices.plane.url, {
    username: saved.user ?? "",
    password: saved.password ?? "",
  });
  await home.subscribe("homeassistant/#");
  const topic = `homeassistant/lock/innkey-${hotel.id}/${mac.replaceAll(":", "")}/config`;
  const config = JSON.parse((await home.on(topic)).text);
  expect(config).toMatchObject({
    command_topic: `${access.topic}/ha/set`,
    state_topic: `${access.topic}/ha/state`,
    availability: [{ topic: `${access.topic}/status` }],
  });
  expect(await home.subscribe(config.state_topic)).toBe(1);
  expect((await home.on(config.state_topic)).text).toBe("LOCKED");

  await home.publish(config.command_topic, "UNLOCK");
  const open = () => server.database.prisma.lockCommand.findFirst({ where: { lockId, type: "unlock" } });
  await expect.poll(open).not.toBeNull();
  const auditEntry = { where: { hotelId: hotel.id, action: "lock.open" }, orderBy: { seq: "desc" as const } };
  expect(await server.database.prisma.auditEntry.findFirst(auditEntry)).toMatchObject({ actorKind: "system" });
  await devices.dispatch(hotel.id, lockId);
  expect((await next()).type).toBe("configure");

  await lock.publish(`${access.topic}/event`, { seq: 1, at: "2026-03-02T10:00:00Z", style: "card", success: true });
  await lock.on(`${access.topic}/event/ack`);
  expect((await home.on(config.state_topic)).text).toBe("UNLOCKED");

  const watcher = await DeviceClient.connect(devices.plane.url, {
    username: saved.user ?? "",
    password: saved.password ?? "",
    clientId: "watcher",
  });
  await watcher.subscribe(topic);
  await watcher.on(topic);
  await desk.api.locks.removeLink.mutate({ kind: "home_assistant" });
  expect((await watcher.on(topic)).text).toBe("");
  await Promise.all([home.closed, watcher.closed]);
  await expect(
    DeviceClient.connect(devices.plane.url, { username: saved.user ?? "", password: saved.password ?? "" }),
  ).rejects.toThrow();
  await lock.end();
});

it("writes no password into the log", async () => {
  const { access } = await door();
  await expect(devices.connectLock({ ...access, password: `${access.password}x` })).rejects.toThrow();
  expect(lines.join("\n")).not.toContain(access.password);
});
