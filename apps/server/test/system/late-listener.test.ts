import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { connectRelay } from "../../src/adapters/events/connect-relay.ts";
import type { Relay } from "../../src/adapters/events/relay.ts";
import type { JobQueue } from "../../src/adapters/queue/queue.ts";
import { createLogger } from "../../src/adapters/telemetry/logger.ts";
import { dispatchLock } from "../../src/domain/access/lock-commands/deliver-commands.ts";
import { startDevices } from "../../src/drivers/device-plane.ts";
import { DeviceClient } from "../clients/device-client.ts";
import type { Browser } from "../harness/browser.ts";
import { idleQueue } from "../harness/idle-queue.ts";
import { createTestServer, type TestServer } from "../harness/server.ts";
import { end, freePort, listens } from "../processes/foreign-servers.ts";

/**
 * A lock that reports "online" before it subscribes to its commands. The clock stands still, so that no other retry is
 * due.
 */
const log = createLogger("silent");
const WITHIN_MS = 5_000;
const COMMAND = z.object({ id: z.uuid(), type: z.string() });

let server: TestServer;
let relay: Relay;
let owner: Browser;
let serial = 0;

const waiting = new Set<NodeJS.Timeout>();
const running: Promise<void>[] = [];

/** Runs a job when it is due. */
const queue: JobQueue = {
  ...idleQueue,
  async add(job, payload, { delayMs = 0 } = {}) {
    if (job.name !== dispatchLock.name) return;
    const { hotelId, lockId, again } = dispatchLock.payload.parse(payload);
    const timer = setTimeout(() => {
      waiting.delete(timer);
      running.push(server.services.locks.delivery.dispatch(hotelId, lockId, log, again));
    }, delayMs);
    waiting.add(timer);
  },
};

beforeAll(async () => {
  server = await createTestServer({ queue });
  relay = await connectRelay(server.database.pool.options.connectionString ?? "", log);
  const hotel = await server.createHotel({});
  owner = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
});
afterAll(async () => {
  // As a worker does: what is running ends before the database is closed.
  for (const timer of waiting) clearTimeout(timer);
  await Promise.all(running);
  await relay.close();
  await server.close();
});

/** Starts an operator's own broker, which doesn't report subscriptions. */
async function startMosquitto(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "innkey-mosquitto-"));
  const port = await freePort();
  writeFileSync(join(folder, "mosquitto.conf"), `listener ${port} 127.0.0.1\nallow_anonymous true\n`);
  const child = spawn("mosquitto", ["-c", join(folder, "mosquitto.conf")], { stdio: "ignore" });
  await expect.poll(() => listens(port), { timeout: 10_000 }).toBe(true);
  const stop = async (): Promise<void> => {
    await end(child);
    rmSync(folder, { recursive: true });
  };
  return { url: `mqtt://127.0.0.1:${port}`, stop };
}

async function startPlane(mqttUrl: string | undefined) {
  const { services, clock } = server;
  return startDevices({
    mqttUrl,
    publicUrl: undefined,
    dynamicSecurity: false,
    broker: { host: "127.0.0.1", port: 0, maxClients: 10 },
    locks: services.locks,
    reports: services.lockReports,
    access: services.deviceAccess,
    links: services.links,
    scopes: services.scopes,
    faceImages: async () => null,
    relay,
    now: () => clock.now(),
    log,
  });
}

/** The configuration comes before everything else that a new lock is sent. */
const firstOf = (lockId: number) => ({ lockId, type: "configure" }) as const;

/** Connects a lock that is online, with its first command sent before it subscribed. */
async function appear(url: string) {
  serial += 1;
  const { lockId } = await owner.api.locks.save.mutate({ mac: `A4:C1:38:00:01:0${serial}`, roomId: null });
  const { user, password, topic } = await owner.api.locks.connect.mutate({ lockId });
  const lock = await DeviceClient.connect(url, { username: user, password });
  await lock.publish(`${topic}/status`, { state: "online" }, true);
  const states = () => server.database.prisma.lockCommand.findMany({ where: firstOf(lockId), select: { state: true } });
  await expect.poll(states).toEqual([{ state: "sent" }]);
  return { lock, lockId, commands: `${topic}/command` };
}

it.each([
  ["at once", 0],
  ["after four seconds", 4_000],
])(
  "a lock at the operator's broker gets its waiting commands within five seconds when it subscribes %s",
  async (_when, pauseMs) => {
    const mosquitto = await startMosquitto();
    const plane = await startPlane(mosquitto.url);
    const { lock, lockId, commands } = await appear(mosquitto.url);
    const appeared = performance.now();
    await delay(pauseMs);
    await lock.subscribe(commands);
    await expect.poll(() => lock.rest.length, { timeout: WITHIN_MS + 3_000 }).toBeGreaterThan(0);
    expect(performance.now() - appeared).toBeLessThan(WITHIN_MS + 500);
    expect(COMMAND.parse(JSON.parse(lock.rest[0]?.text ?? "")).type).toBe("configure");
    // The command was sent again without counting as a retry, so later pauses stay the same.
    const rows = await server.database.prisma.lockCommand.findMany({ where: firstOf(lockId) });
    expect(rows).toMatchObject([{ state: "sent", tries: 1 }]);
    await lock.end();
    await plane.close();
    await mosquitto.stop();
  },
  20_000,
);

it("a lock at the built-in broker gets its waiting commands as soon as it subscribes", async () => {
  const plane = await startPlane(undefined);
  const { lock, commands } = await appear(plane.url);
  await lock.subscribe(commands);
  const first = COMMAND.parse(JSON.parse((await lock.on(commands)).text));
  expect(first.type).toBe("configure");
  await lock.end();
  await plane.close();
});
