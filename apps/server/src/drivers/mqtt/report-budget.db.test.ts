import type { LockEvent } from "@innkey/shared/locks/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "../../../test/harness/browser.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { openDevices, type TestDevices } from "../../../test/locks/devices.ts";

const MINUTE_MS = 60_000;

let server: TestServer;
let devices: TestDevices;
let desk: Browser;
let groupId: number;

beforeAll(async () => {
  server = await createTestServer();
  devices = await openDevices(server);
  desk = await server.loginAs(await server.createOperator(await server.createHotel(), { role: "owner" }));
  ({ id: groupId } = await desk.api.groups.save.mutate({ name: "All", sort: 1 }));
});
afterAll(async () => {
  await devices.close();
  await server.close();
});

async function door(name: string) {
  const { roomId } = await desk.api.rooms.save.mutate({ name, groupId });
  const { lockId } = await desk.api.locks.save.mutate({ mac: `A4:C1:38:00:00:${name}`, roomId });
  const access = await desk.api.locks.connect.mutate({ lockId });
  const lock = await devices.connectLock(access);
  await lock.subscribe(`${access.topic}/command`);
  await lock.subscribe(`${access.topic}/event/ack`);
  const report = (events: LockEvent[]) => lock.publish(`${access.topic}/event`, { log: "9f31c05a", events });
  const acknowledged = async () => JSON.parse((await lock.on(`${access.topic}/event/ack`)).text).seq;
  return { roomId, lockId, access, lock, report, acknowledged };
}

const eventsFrom = (first: number, count: number): LockEvent[] =>
  Array.from({ length: count }, (_, n) => ({
    seq: first + n,
    at: "2026-03-02T10:00:00Z",
    style: "card",
    success: false,
  }));

it("stores a flood up to its budget, alerts once, answers commands meanwhile, and ends the alert later", async () => {
  const { prisma } = server.database;
  const flooding = await door("10");
  const quiet = await door("11");
  const alerts = () => prisma.message.findMany({ where: { kind: "too_many_events" } });
  const { lockId, roomId } = flooding;
  await flooding.lock.publish(`${flooding.access.topic}/status`, { state: "online" }, true);
  const lock = () => prisma.lock.findUniqueOrThrow({ where: { id: lockId } });
  await expect.poll(async () => (await lock()).online).toBe(true);
  await devices.dispatch((await lock()).hotelId, lockId);
  const { id } = JSON.parse((await flooding.lock.on(`${flooding.access.topic}/command`)).text);

  const flood = Promise.all(Array.from({ length: 12 }, (_, n) => flooding.report(eventsFrom(500 * n + 1, 500))));
  await flooding.lock.publish(`${flooding.access.topic}/ack`, { id, ok: true });
  await quiet.report(eventsFrom(1, 1));
  expect(await quiet.acknowledged()).toBe(1);
  await expect.poll(async () => (await lock()).configuredAt).not.toBeNull();
  await flood;
  for (const seq of [500, 1_000, 1_500, 2_000]) expect(await flooding.acknowledged()).toBe(seq);
  await expect.poll(alerts).toMatchObject([{ lockId, roomId, count: 1, resolvedAt: null }]);
  await flooding.report(eventsFrom(2_001, 500));
  await quiet.report(eventsFrom(2, 1));
  expect(await quiet.acknowledged()).toBe(2);
  expect(await prisma.unlockRecord.count({ where: { lockId } })).toBe(2_000);
  expect(devices.plane.dropped).toBe(9);

  const { locks } = server.services;
  server.clock.advance(9 * MINUTE_MS);
  await locks.readBack();
  expect(await alerts()).toMatchObject([{ lockId, count: 1, resolvedAt: null }]);
  server.clock.advance(2 * MINUTE_MS);
  await locks.readBack();
  expect(await alerts()).toMatchObject([{ lockId, resolvedAt: server.clock.now() }]);
  await Promise.all([flooding.lock.end(), quiet.lock.end()]);
});

it("keeps the alert open while the flood goes on", async () => {
  const { prisma } = server.database;
  const { lockId } = await door("12");
  const { hotelId, mac } = await prisma.lock.findUniqueOrThrow({ where: { id: lockId } });
  const { lockReports, locks } = server.services;
  for (let minute = 0; minute < 15; minute += 5) {
    await lockReports.reportsTooMuch({ hotelId, mac: mac ?? "" });
    server.clock.advance(5 * MINUTE_MS);
    await locks.readBack();
  }
  expect(await prisma.message.findMany({ where: { lockId } })).toMatchObject([{ count: 3, resolvedAt: null }]);
  await lockReports.reportsTooMuch({ hotelId: hotelId + 1, mac: mac ?? "" });
  expect(await prisma.message.count({ where: { kind: "too_many_events", resolvedAt: null } })).toBe(1);
});
