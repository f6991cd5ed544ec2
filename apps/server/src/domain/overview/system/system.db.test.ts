import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { LOW_POWER_PERCENT, type LockStatus, lockStatusOf } from "@innkey/shared/locks/lock-status";
import { afterEach, describe, expect, it } from "vitest";
import type { Browser } from "../../../../test/harness/browser.ts";
import type { TestHotel } from "../../../../test/harness/people.ts";
import { createTestServer, failure, type TestServer, testInstallation } from "../../../../test/harness/server.ts";
import { selfSigned } from "../../../../test/processes/foreign-servers.ts";
import type { JobCounts } from "../../../adapters/queue/queue.ts";
import { createLogger } from "../../../adapters/telemetry/logger.ts";
import type { LastBackup } from "../../compliance/backups/make-backup.ts";
import type { Installation } from "./installation.ts";
import { System } from "./system.service.ts";

const NO_RESULTS = { lastBackup: async () => null, lastAuditCheck: async () => null };
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(installation: Partial<Installation> = {}): Promise<{
  server: TestServer;
  hotel: TestHotel;
  owner: Browser;
  clerk: Browser;
}> {
  const server = await createTestServer({ installation });
  open.push(() => server.close());
  const hotel = await server.createHotel();
  const owner = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  const clerk = await server.loginAs(await server.createOperator(hotel, { role: "staff" }));
  return { server, hotel, owner, clerk };
}

const queueOf = (jobCounts: JobCounts[]): Installation["queue"] => ({
  reachable: async () => true,
  readCounts: async () => jobCounts,
  waitingSince: async () => new Date("2026-03-02T09:58:00.000Z"),
  lastFailure: async () => ({ reason: "\nno answer\n at Guest Ann", at: new Date("2026-03-02T09:00:00.000Z") }),
});

const parts = async (desk: Browser): Promise<string[]> =>
  (await desk.api.system.condition.query()).troubles.map(({ part }) => part);

describe("the system's condition", () => {
  it("is empty for every operator while all is well", async () => {
    const { clerk, server } = await start();
    expect(await clerk.api.system.condition.query()).toEqual({ troubles: [] });
    expect(await failure(server.visitor().api.system.condition.query())).toMatchObject({ code: "session_missing" });
  });

  it("names what is unavailable and since when, and clears it", async () => {
    let reachable = false;
    const { clerk, server } = await start({ queue: { ...queueOf([]), reachable: async () => reachable } });
    const since = server.clock.now().toISOString();
    expect(await clerk.api.system.condition.query()).toEqual({ troubles: [{ part: "queue", since }] });
    server.clock.advance(60_000);
    await expect
      .poll(() => clerk.api.system.condition.query(), { timeout: 8_000 })
      .toEqual({
        troubles: [{ part: "queue", since }],
      });
    reachable = true;
    await expect.poll(() => parts(clerk), { timeout: 8_000 }).toEqual([]);
  }, 20_000);

  it("does not wait: a store that never answers counts as unavailable", async () => {
    const { clerk } = await start({ queue: { ...queueOf([]), reachable: () => new Promise(() => {}) } });
    expect(await parts(clerk)).toEqual(["queue"]);
  }, 20_000);

  it("shows a clerk what affects the desk, and the rest to the console's administrators", async () => {
    const failing: LastBackup = {
      at: null,
      bytes: null,
      verifiedAt: null,
      lastVerifiedAt: null,
      error: "no space left",
    };
    const { server, owner, clerk } = await start({
      bucket: { name: "gone", exists: async () => false },
      backupEveryHours: 24,
    });
    await server.database.pool.query("INSERT INTO backup_run (started_at, ended_at, error) VALUES (now(), now(), $1)", [
      failing.error,
    ]);
    expect(await parts(clerk)).toEqual(["storage"]);
    expect(await parts(owner)).toEqual(["storage", "backup"]);
  });

  it("includes a broker in another process, whose encrypted address is shown while that process runs", async () => {
    const { server } = await start({ role: "web" });
    const hotel = await server.createHotel({});
    const owner = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
    expect(await owner.api.locks.encryptedBroker.query()).toBeNull();
    const worker = new System({
      installation: {
        ...testInstallation({ ...server, relay: silentRelay, dataDir: server.dataDir }),
        role: "worker" as const,
      },
      results: NO_RESULTS,
      clock: server.clock,
      log: createLogger("fatal"),
    });
    const encrypted = { url: "mqtts://192.168.1.5:8883", authority: "-----BEGIN CERTIFICATE-----" };
    worker.setBrokerState(() => ({ kind: "embedded", connected: true, encrypted }));
    await worker.heartbeat.beat();
    expect(await owner.api.locks.encryptedBroker.query()).toEqual(encrypted);
    await server.database.pool.query("UPDATE process_heartbeat SET seen_at = seen_at - interval '31 seconds'");
    expect(await owner.api.locks.encryptedBroker.query()).toBeNull();
  });

  it("records an outage if no process was alive for more than ten minutes, and not for a restart", async () => {
    const { server } = await start({ role: "web" });
    const { pool, prisma } = server.database;
    const process = new System({
      installation: testInstallation({ ...server, relay: silentRelay, dataDir: server.dataDir }),
      results: NO_RESULTS,
      clock: server.clock,
      log: createLogger("fatal"),
    });
    const beatAfter = async (silence: string) => {
      await pool.query("UPDATE server_pulse SET seen_at = now() - $1::interval", [silence]);
      const { seenAt } = await prisma.serverPulse.findUniqueOrThrow({ where: { id: 1 } });
      await process.heartbeat.beat();
      return { seenAt, pulse: await prisma.serverPulse.findUniqueOrThrow({ where: { id: 1 } }) };
    };
    await process.heartbeat.beat();
    expect((await beatAfter("9 minutes")).pulse).toMatchObject({ offFrom: null, offUntil: null });
    const { seenAt, pulse } = await beatAfter("3 hours");
    expect(pulse.offFrom).toEqual(seenAt);
    expect(pulse.offUntil?.getTime()).toBeGreaterThan(seenAt.getTime());
    expect((await beatAfter("1 minute")).pulse).toMatchObject({ offFrom: pulse.offFrom, offUntil: pulse.offUntil });
  });

  it("reports missing workers, or their broker, in a process that only answers requests", async () => {
    const { server, clerk } = await start({ role: "web" });
    expect(await parts(clerk)).toEqual(["workers"]);
    const installation = {
      ...testInstallation({ ...server, relay: silentRelay, dataDir: server.dataDir }),
      role: "worker" as const,
    };
    const worker = new System({
      installation: installation,
      results: NO_RESULTS,
      clock: server.clock,
      log: createLogger("fatal"),
    });
    let connected = false;
    worker.setBrokerState(() => ({ kind: "external", connected }));
    await worker.heartbeat.beat();
    await expect.poll(() => parts(clerk), { timeout: 8_000 }).toEqual(["locks"]);
    connected = true;
    const beatenParts = () => worker.heartbeat.beat().then(() => parts(clerk));
    await expect.poll(beatenParts, { timeout: 15_000 }).toEqual([]);
    // A process without heartbeats counts as ended, even though it didn't delete its row.
    await server.database.pool.query("UPDATE process_heartbeat SET seen_at = seen_at - interval '31 seconds'");
    await expect.poll(() => parts(clerk), { timeout: 8_000 }).toEqual(["workers"]);
    await worker.heartbeat.close();
    expect(await server.database.prisma.processHeartbeat.count()).toBe(0);
  }, 40_000);

  it("reports an unavailable database without waiting behind the pool", async () => {
    const { server } = await start();
    const busy = await Promise.all(Array.from({ length: 8 }, () => server.database.pool.connect()));
    expect((await server.visitor().http("GET", "/readyz")).statusCode).toBe(200);
    for (const client of busy) client.release();
    const slow = [1, 2].map(() => server.watch.rows("SELECT pg_sleep(1.5)"));
    expect((await server.visitor().http("GET", "/readyz")).statusCode).toBe(200);
    await Promise.all(slow);
    server.watch.alive = () => Promise.reject(new Error("gone"));
    expect((await server.visitor().http("GET", "/readyz")).statusCode).toBe(503);
    expect((await server.visitor().http("GET", "/healthz")).statusCode).toBe(200);
  });
});

describe("the status of an installation of several hotels", () => {
  it("shows an owner their hotel's part, and all of it to the operator named at the command line", async () => {
    const troubles = {
      queue: queueOf([{ name: "work", waiting: 0, active: 0, delayed: 0, failed: 1 } as JobCounts]),
    };
    const { server, owner } = await start(troubles);
    expect((await owner.api.system.status.query()).installation).toBe(true);
    const other = await server.createOperator(await server.createHotel(), { role: "owner" });
    for (const desk of [owner, await server.loginAs(other)]) {
      const status = await desk.api.system.status.query();
      expect(status).toMatchObject({ installation: false, processes: null, database: null, storage: null, disk: null });
      expect(status).toMatchObject({ queue: { jobs: null, depth: [] }, backup: { last: null }, journal: null });
      expect(status.locks).not.toBeNull();
      expect(JSON.stringify(status)).not.toContain("no answer");
    }
    const where = { id: other.id };
    await server.database.prisma.operator.update({ where, data: { runsInstallation: true } });
    const whole = await (await server.loginAs(other)).api.system.status.query();
    expect(whole).toMatchObject({ installation: true, queue: { jobs: [{ failed: 1 }] } });
    expect(whole.database).not.toBeNull();
  });
});

describe("the system status page", () => {
  it("is for owners only", async () => {
    const { server, hotel, clerk } = await start();
    const administrator = await server.loginAs(await server.createOperator(hotel, { role: "administrator" }));
    for (const desk of [clerk, administrator]) {
      expect(await failure(desk.api.system.status.query())).toMatchObject({ code: "no_permission" });
    }
  });

  it("counts locks like the overview and the list of locks", async () => {
    const { server, hotel, owner } = await start({});
    const set = { configuredAt: server.clock.now() };
    const kinds = [
      {},
      { online: true, power: 5 },
      { ...set, online: true, power: 19 },
      { ...set, online: true, power: 20 },
      { ...set, power: 3 },
      { ...set, driver: "ttlock" as const },
      { ...set, driver: "ttlock" as const, lastError: "gateway" as const },
      { ...set, breakerOpenedAt: server.clock.now(), online: true },
      { ...set, online: true, power: 1, deletedAt: server.clock.now() },
    ];
    for (const [index, kind] of kinds.entries()) {
      await server.database.prisma.lock.create({
        data: { hotelId: hotel.id, mac: `A4:C1:38:00:00:0${index}`, ...kind },
      });
    }
    const [{ locks: status }, { locks: home }, list] = await Promise.all([
      owner.api.system.status.query(),
      owner.api.home.overview.query(),
      owner.api.locks.list.query(),
    ]);
    const countListed = (status: LockStatus) => list.filter((lock) => lockStatusOf(lock) === status).length;
    expect(status).toMatchObject({ registered: 8, online: 4, notSetUp: 2 });
    expect(home).toMatchObject({ all: 8, offline: 2, notSetUp: 2, low: 3, stopped: 1 });
    expect([countListed("reachable"), countListed("unreachable"), countListed("not_set_up")]).toEqual([4, 2, 2]);
    expect(list.filter(({ power }) => power !== null && power < LOW_POWER_PERCENT)).toHaveLength(3);
  });

  it("shows the state of every part", async () => {
    const jobCounts = { name: "locks.dispatch", waiting: 3, active: 1, delayed: 2, failed: 4 };
    const { server, owner } = await start({ queue: queueOf([jobCounts]), version: "1.2.3", build: "abc" });
    server.services.system.setBrokerState(() => ({ kind: "embedded", connected: true }));
    await server.services.system.heartbeat.beat();
    const status = await owner.api.system.status.query();
    expect(status).toMatchObject({
      at: server.clock.now().toISOString(),
      troubles: [],
      version: { version: "1.2.3", build: "abc" },
      processes: [{ role: "all", version: "1.2.3", alive: true, node: process.version }],
      database: {
        version: expect.stringMatching(/^1[0-9]/),
        migrations: { last: expect.stringMatching(/^\d+_/) },
        replicas: 0,
      },
      queue: {
        store: "postgresql",
        depth: [3],
        jobs: [
          {
            ...jobCounts,
            waitingSince: "2026-03-02T09:58:00.000Z",
            lastFailure: { reason: "no answer", at: "2026-03-02T09:00:00.000Z" },
          },
        ],
      },
      locks: { broker: "embedded", connected: true, registered: 0, online: 0, commandsWaiting: 0, waitingSince: null },
      liveEvents: { via: "postgresql", listening: true },
      storage: { kind: "disk", place: server.dataDir, writable: true },
      backup: { everyHours: 0, last: null },
      certificate: null,
      senders: { mail: { configured: false, waiting: 0, lastFailure: null } },
      webhooks: { on: 0, failing: 0, givenUp: 0, waiting: 0 },
      journal: null,
    });
    expect(status.database?.sizeBytes).toBeGreaterThan(1_000_000);
    expect(status.disk?.freeBytes).toBeGreaterThan(0);
    expect(status.locks?.hours).toHaveLength(24);
  });

  it("counts the hotel's own locks and commands only", async () => {
    const { server, hotel, owner } = await start();
    const other = await server.createHotel();
    for (const { id } of [hotel, other]) {
      const lock = await server.database.prisma.lock.create({
        data: { hotelId: id, mac: "A4:C1:38:00:00:01", online: true, configuredAt: server.clock.now() },
      });
      const at = (secondsAgo: number) => new Date(server.clock.now().getTime() - secondsAgo * 1000);
      const command = { hotelId: id, lockId: lock.id, subject: "x" };
      await server.database.prisma.lockCommand.createMany({
        data: [
          { ...command, type: "unlock", state: "queued", argsBox: Buffer.alloc(1), createdAt: at(120) },
          { ...command, type: "unlock", state: "acknowledged", createdAt: at(104), endedAt: at(100) },
          { ...command, type: "unlock", state: "acknowledged", createdAt: at(108), endedAt: at(100) },
          { ...command, type: "unlock", state: "failed", createdAt: at(900), endedAt: at(100) },
        ],
      });
    }
    const { locks } = await owner.api.system.status.query();
    const waitingSince = new Date(server.clock.now().getTime() - 120_000).toISOString();
    expect(locks).toMatchObject({ registered: 1, online: 1, commandsWaiting: 1, waitingSince });
    expect(locks?.hours.at(-1)).toMatchObject({ commands: 2, typicalSeconds: 6, slowSeconds: 7.8 });
    expect(locks?.hours.at(-2)).toMatchObject({ commands: 0, typicalSeconds: null, slowSeconds: null });
  });

  it("shows the parts that answer when one does not", async () => {
    const { owner } = await start({
      queue: { ...queueOf([]), readCounts: async () => Promise.reject(new Error("gone")) },
      dataDir: "/nonexistent",
    });
    const status = await owner.api.system.status.query();
    expect(status).toMatchObject({ queue: { jobs: null, depth: [] }, storage: { writable: false }, disk: null });
    expect(status.database).not.toBeNull();
    expect(status.troubles.map(({ part }) => part)).toEqual(["storage", "disk"]);
  });

  it("checks the certificate that browsers get", async () => {
    const expiresAt = "2126-10-29T05:44:20.000Z";
    const tls = createTlsServer(await selfSigned(new Date(expiresAt))).listen(0, "127.0.0.1");
    await once(tls, "listening");
    open.push(async () => void tls.close());
    const { port } = tls.address() as AddressInfo;
    const { owner } = await start({ publicUrl: `https://localhost:${port}` });
    const { certificate } = await owner.api.system.status.query();
    expect(certificate).toMatchObject({
      host: `localhost:${port}`,
      expiresAt,
      issuer: "Innkey test",
      problem: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
  });

  it("says why a check failed", async () => {
    const directory = await mkdtemp(join(tmpdir(), "innkey-status-"));
    open.push(() => rm(directory, { recursive: true }));
    const { owner } = await start({ publicUrl: "https://127.0.0.1:1", dataDir: directory });
    const { certificate } = await owner.api.system.status.query();
    expect(certificate).toMatchObject({ expiresAt: null, problem: "ECONNREFUSED" });
  });
});

const silentRelay: Installation["relay"] & { close(): Promise<void> } = {
  state: () => ({ via: "postgresql", listening: true }),
  subscribe: () => () => {},
  close: async () => {},
};
