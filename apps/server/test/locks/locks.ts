import type { AckMessage, CommandMessage, LockCommandName } from "@innkey/shared/locks/protocol";
import { lockInput } from "@innkey/shared/schemas/access/locks";
import type { z } from "zod";
import type { Relay } from "../../src/adapters/events/relay.ts";
import type { Database } from "../../src/adapters/postgres/client.ts";
import type { Lock, LockCommand } from "../../src/adapters/postgres/generated/client.ts";
import { createLogger, type Logger } from "../../src/adapters/telemetry/logger.ts";
import { TAKE_OVER } from "../../src/domain/access/lock-commands/commands.ts";
import type { DriverLock, LockDriver, SendResult } from "../../src/domain/access/lock-links/driver.ts";
import { LockPlane } from "../../src/domain/access/lock-links/lock-plane.ts";
import { lockSecretContext } from "../../src/domain/access/locks/lock-secrets.ts";
import { connect, save } from "../../src/domain/access/locks/registration.service.ts";
import { type DevicePlane, startDevices } from "../../src/drivers/device-plane.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { type Scope, scopeFactory, systemScopes } from "../../src/kernel/scope.ts";
import { DeviceClient } from "../clients/device-client.ts";
import type { TestWorld } from "../harness/hotel.ts";
import { idleQueue } from "../harness/idle-queue.ts";
import type { TestServer } from "../harness/server.ts";

const silentRelay: Relay = {
  subscribe: () => () => {},
  state: () => ({ via: "postgresql", listening: true }),
  async close() {},
};

/** A driver that records commands and answers as the test tells it to. */
export class ScriptedDriver implements LockDriver {
  readonly name: LockDriver["name"];
  readonly sent: { lockId: number; command: CommandMessage }[] = [];
  reply: (lock: DriverLock, command: CommandMessage) => SendResult | Promise<SendResult> = () => ({ outcome: "sent" });

  constructor(name: LockDriver["name"] = "mqtt") {
    this.name = name;
  }

  async send(lock: DriverLock, command: CommandMessage): Promise<SendResult> {
    this.sent.push({ lockId: lock.id, command });
    return this.reply(lock, command);
  }

  /** Returns the types of the commands sent to a lock, in order. */
  typesTo(lockId: number): string[] {
    return this.sent.filter((sent) => sent.lockId === lockId).map(({ command }) => command.type);
  }

  lastTo(lockId: number): CommandMessage {
    const last = this.sent.findLast((sent) => sent.lockId === lockId);
    if (!last) throw new Error(`nothing was sent to lock ${lockId}`);
    return last.command;
  }
}

/** Stores a lock's secret, from which one-time codes are computed, as if the lock had been connected. */
export async function giveLockSecret(
  { prisma }: Pick<Database, "prisma">,
  scope: Scope,
  lockId: number,
  secret: string,
): Promise<void> {
  const secretBox = scope.secrets.lock.seal(secret, lockSecretContext(scope, lockId));
  await prisma.lock.update({ where: { id: lockId }, data: { secretBox } });
}

/** Creates a lock plane whose commands the test dispatches by hand. */
export function createLockBench(
  { database, clock, secrets }: Pick<TestWorld, "database" | "secrets"> & { clock: Clock },
  { relay = silentRelay, queue = idleQueue } = {},
) {
  const { prisma } = database;
  const driver = new ScriptedDriver();
  const scopes = systemScopes(database, scopeFactory({ database, clock, secrets }));
  const plane = new LockPlane({ database, clock, scopes, queue, relay, log: createLogger("silent") });
  plane.delivery.use(driver);
  let serial = 0;

  const bench = {
    plane,
    driver,
    scopes,
    /** Registers a lock that is online, with no command waiting. */
    async addLock(owner: Scope, fields: Partial<z.input<typeof lockInput>> = {}, connected = true): Promise<Lock> {
      serial += 1;
      const mac = `0200${serial.toString(16).padStart(8, "0")}`;
      const { lockId } = await save(owner, lockInput.parse({ mac, ...fields }));
      if (connected) {
        await connect(owner, { lockId }, plane);
        // A new device has an empty list, so it needn't be read back.
        await prisma.lockCommand.deleteMany({ where: { lockId, subject: TAKE_OVER } });
        await plane.status({ hotelId: owner.hotelId, mac }, { state: "online" });
        await bench.drain(owner, lockId);
      }
      driver.sent.splice(0);
      return bench.lock(lockId);
    },
    /** Dispatches and acknowledges all commands that wait for a lock. */
    async drain(owner: Scope, lockId: number): Promise<void> {
      const { reply } = driver;
      driver.reply = () => ({ outcome: "answered", ack: { ok: true } });
      await plane.delivery.dispatch(owner.hotelId, lockId);
      driver.reply = reply;
    },
    lock: (id: number): Promise<Lock> => prisma.lock.findUniqueOrThrow({ where: { id } }),
    commands: (lockId: number, type?: LockCommandName): Promise<LockCommand[]> =>
      prisma.lockCommand.findMany({ where: { lockId, ...(type && { type }) }, orderBy: { seq: "asc" } }),
    credential: (id: number) => prisma.credential.findUniqueOrThrow({ where: { id } }),
    alerts: (lockId: number) => prisma.alert.findMany({ where: { lockId }, orderBy: { id: "asc" } }),
    dispatch: ({ hotelId, id }: Lock): Promise<void> => plane.delivery.dispatch(hotelId, id),
    /** Acknowledges the last command sent to the lock, or the given one. */
    async ack(lock: Lock, fields: Partial<AckMessage> = {}): Promise<void> {
      const id = fields.id ?? driver.lastTo(lock.id).id;
      await plane.acknowledge(
        { hotelId: lock.hotelId, mac: lock.mac.replaceAll(":", "") },
        { ok: true, ...fields, id },
      );
    },
    status: (
      lock: Lock,
      state: "online" | "offline",
      fields: { at?: string; power?: number; log?: string } = {},
    ): Promise<void> => plane.status({ hotelId: lock.hotelId, mac: lock.mac }, { state, ...fields }),
  };
  return bench;
}
export type LockBench = ReturnType<typeof createLockBench>;

export interface TestDevices {
  plane: DevicePlane;
  /** Connects a lock as an installer does; it is online */
  connectLock(access: { user: string; password: string }): Promise<DeviceClient>;
  /** Sends all due commands, as the queue would do */
  dispatch(hotelId: number, lockId: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the device connections of a test server, with a broker on a free port. */
export async function openDevices(
  server: TestServer,
  log: Logger = createLogger("silent"),
  relay: Pick<Relay, "subscribe"> = { subscribe: () => () => {} },
): Promise<TestDevices> {
  const { services, clock } = server;
  services.links.allowLoopback = true;
  const plane = await startDevices({
    mqttUrl: undefined,
    publicUrl: undefined,
    dynamicSecurity: false,
    broker: { host: "127.0.0.1", port: 0, maxClients: 100 },
    locks: services.locks,
    reports: services.lockReports,
    access: services.deviceAccess,
    links: services.links,
    scopes: services.scopes,
    faceImages: (hotelId, faceId) => services.faces.imageForLock(hotelId, faceId),
    relay,
    now: () => clock.now(),
    log,
  });
  return {
    plane,
    connectLock: ({ user, password }) => DeviceClient.connect(plane.url, { username: user, password }),
    dispatch: (hotelId, lockId) => services.locks.delivery.dispatch(hotelId, lockId),
    close: () => plane.close(),
  };
}
