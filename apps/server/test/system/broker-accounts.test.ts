import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connectRelay } from "../../src/adapters/events/connect-relay.ts";
import type { Relay } from "../../src/adapters/events/relay.ts";
import { writeBrokerCertificate } from "../../src/adapters/mqtt/broker-certificate.ts";
import { createLogger } from "../../src/adapters/telemetry/logger.ts";
import { writeSecretFiles } from "../../src/cli/lib/secret-files.ts";
import { type DevicePlane, startDevices } from "../../src/drivers/device-plane.ts";
import { DeviceClient } from "../clients/device-client.ts";
import type { Browser } from "../harness/browser.ts";
import type { TestHotel } from "../harness/people.ts";
import { createTestServer, type TestServer } from "../harness/server.ts";
import { type BrokerPorts, freePort, startDeliveredMosquitto } from "../processes/foreign-servers.ts";

/** Tests the accounts that the server manages in a real Mosquitto with the delivered configuration. */
const MAC = "A4:C1:38:00:00:B1";
const OTHER = "A4:C1:38:00:00:B2";
const log = createLogger("silent");

let secrets: string;
let ports: BrokerPorts;
let stopMosquitto: () => Promise<void>;
let server: TestServer;
let relay: Relay;
let plane: DevicePlane;
let hotel: TestHotel;
let owner: Browser;
let root: string;

beforeAll(async () => {
  secrets = mkdtempSync(join(tmpdir(), "innkey-mosquitto-"));
  writeSecretFiles(secrets);
  await writeBrokerCertificate(secrets, {});
  ports = { port: await freePort(), tlsPort: await freePort(), serverPort: await freePort() };
  stopMosquitto = await startDeliveredMosquitto(join(secrets, "mosquitto"), ports);
  server = await createTestServer();
  relay = await connectRelay(databaseUrl(), log);
  plane = await devices();
  hotel = await server.createHotel({});
  owner = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  root = `lockd/${hotel.id}/A4C1380000B1`;
});

afterAll(async () => {
  await plane.close();
  await relay.close();
  await server.close();
  await stopMosquitto();
  rmSync(secrets, { recursive: true });
});

function databaseUrl(): string {
  const { connectionString } = server.database.pool.options;
  return connectionString ?? "";
}

function devices(): Promise<DevicePlane> {
  const { services, clock } = server;
  const password = readFileSync(join(secrets, "server/mqtt-password"), "utf8");
  return startDevices({
    mqttUrl: `mqtt://innkey:${password}@127.0.0.1:${ports.serverPort}`,
    dynamicSecurity: true,
    publicUrl: `mqtt://127.0.0.1:${ports.port}`,
    broker: { host: "127.0.0.1", port: 0, maxClients: 1 },
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

interface Access {
  url: string | null;
  user: string | null;
  password: string | null;
}

const connect = ({ url, user, password }: Access, clientId?: string): Promise<DeviceClient> =>
  DeviceClient.connect(url ?? "", { username: user ?? "", password: password ?? "", ...(clientId && { clientId }) });

/** Connects once the broker has the account, which takes a moment without any notice. */
const connected = (access: Access): Promise<DeviceClient> =>
  expect
    .poll(() => connect(access).catch(() => null), { timeout: 15_000 })
    .not.toBeNull()
    .then(() => connect(access));

const refused = (access: Access): Promise<void> =>
  expect
    .poll(
      () =>
        connect(access).then(
          (client) => client.end().then(() => "let in"),
          () => "refused",
        ),
      { timeout: 15_000 },
    )
    .toBe("refused");

async function register(mac: string): Promise<Access & { lockId: number }> {
  const { lockId } = await owner.api.locks.save.mutate({
    mac,
    bluetoothName: "",
    driver: "mqtt",
    address: "",
    roomId: null,
  });
  return owner.api.locks.connect.mutate({ lockId });
}

describe("a lock's account at the operator's Mosquitto", () => {
  let lock: Awaited<ReturnType<typeof register>>;

  it("is created when the lock is connected, and allows only its own topics", async () => {
    lock = await register(MAC);
    const other = await register(OTHER);
    const device = await connected(lock);
    expect(await device.subscribe(`${root}/command`)).toBe(1);
    expect(await device.subscribe(`${root}/event/ack`)).toBe(1);
    for (const topic of [
      "#",
      "lockd/#",
      `lockd/${hotel.id}/+/command`,
      `${root}/#`,
      `lockd/${hotel.id}/A4C1380000B2/command`,
      "$CONTROL/#",
      "$SYS/#",
      "$share/x/#",
    ]) {
      expect([topic, await device.subscribe(topic)]).toEqual([topic, 128]);
    }
    const neighbour = await connected(other);
    expect(await neighbour.subscribe(`lockd/${hotel.id}/A4C1380000B2/command`)).toBe(1);
    // The broker drops forbidden messages silently. The last, allowed one shows that the others were processed.
    for (const topic of [`lockd/${hotel.id}/A4C1380000B2/command`, `${root}/command`, "$CONTROL/dynamic-security/v1"]) {
      await device.publish(topic, "{}").catch(() => {});
    }
    await device.publish(`${root}/status`, { state: "online", power: 77 }, true);
    await expect
      .poll(async () => (await server.database.prisma.lock.findFirst({ where: { id: lock.lockId } }))?.power)
      .toBe(77);
    expect(neighbour.rest).toEqual([]);
    await Promise.all([device.end(), neighbour.end()]);
  });

  it("cannot leave a last will on another lock's topic, or replace another lock by using its client id", async () => {
    const other = await register("A4:C1:38:00:00:B3");
    const neighbour = await connected(other);
    const commands = `lockd/${hotel.id}/A4C1380000B3/command`;
    expect(await neighbour.subscribe(commands)).toBe(1);
    const impostor = await DeviceClient.connect(lock.url ?? "", {
      ...{ username: lock.user ?? "", password: lock.password ?? "", clientId: other.user ?? "" },
      will: { topic: commands, payload: Buffer.from("{}"), qos: 1, retain: true },
    });
    impostor.mqtt.stream.destroy();
    await impostor.closed;
    // The broker handles the will before what follows, so an answer to the neighbour proves that none came.
    await neighbour.publish(`lockd/${hotel.id}/A4C1380000B3/status`, { state: "online", power: 61 }, true);
    await expect
      .poll(async () => (await server.database.prisma.lock.findFirst({ where: { id: other.lockId } }))?.power)
      .toBe(61);
    expect(neighbour.rest).toEqual([]);
    expect(await neighbour.subscribe(commands)).toBe(1);
    expect(neighbour.rest).toEqual([]);
    await neighbour.end();
  });

  it("also works encrypted, with a certificate of the installation's own authority", async () => {
    const ca = readFileSync(join(secrets, "mosquitto/tls/ca.pem"));
    const encrypted = (options: object): Promise<DeviceClient> =>
      DeviceClient.connect(`mqtts://localhost:${ports.tlsPort}`, {
        ...{ username: lock.user ?? "", password: lock.password ?? "", ...options },
      });
    const device = await encrypted({ ca });
    expect(await device.subscribe(`${root}/command`)).toBe(1);
    expect(await device.subscribe("lockd/#")).toBe(128);
    await device.end();
    await expect(encrypted({ ca, password: "guessed" })).rejects.toThrow();
    // Without the authority a lock could not verify the broker.
    await expect(encrypted({})).rejects.toThrow(/certificate/);
  });

  it("has one connection: a second one ends the first", async () => {
    const first = await connect(lock, "one");
    const second = await connect(lock, "two");
    await first.closed;
    expect(await second.subscribe(`${root}/command`)).toBe(1);
    await second.end();
  });

  it("gets a new password each time it is connected, and the old one is disconnected", async () => {
    const old = lock;
    const device = await connected(old);
    lock = { ...old, ...(await owner.api.locks.connect.mutate({ lockId: old.lockId })) };
    await device.closed;
    await refused(old);
    await (await connected(lock)).end();
  });

  it("is created again at a broker that has lost everything", async () => {
    await stopMosquitto();
    const password = readFileSync(join(secrets, "server/mqtt-password"), "utf8");
    rmSync(join(secrets, "mosquitto"), { recursive: true });
    writeSecretFiles(secrets);
    await writeBrokerCertificate(secrets, {});
    expect(readFileSync(join(secrets, "server/mqtt-password"), "utf8")).toBe(password);
    stopMosquitto = await startDeliveredMosquitto(join(secrets, "mosquitto"), ports);
    await (await connected(lock)).end();
  });

  it("is removed with the lock, connected or not", async () => {
    const device = await connected(lock);
    await owner.api.locks.remove.mutate({ lockId: lock.lockId });
    await device.closed;
    await refused(lock);
  });
});

describe("a link's account at the operator's Mosquitto", () => {
  it("is shown and created when the link is switched on, and removed with it", async () => {
    const link = await owner.api.locks.saveLink.mutate({ kind: "zigbee2mqtt", baseTopic: "z2m" });
    expect(link).toMatchObject({ user: `zigbee2mqtt-${hotel.id}`, url: `mqtt://127.0.0.1:${ports.port}` });
    const gateway = await connected(link);
    expect(await gateway.subscribe("z2m/#")).toBe(1);
    expect(await gateway.subscribe("z2m/door/set")).toBe(1);
    for (const topic of ["#", "+/#", "lockd/#", "z2m2/door"]) {
      expect([topic, await gateway.subscribe(topic)]).toEqual([topic, 128]);
    }
    await owner.api.locks.removeLink.mutate({ kind: "zigbee2mqtt" });
    await gateway.closed;
    await refused(link);
  });

  it("lets Home Assistant read its hotel's locks and request to open doors", async () => {
    const link = await owner.api.locks.saveLink.mutate({ kind: "home_assistant", prefix: "homeassistant" });
    const home = await connected(link);
    for (const topic of ["homeassistant/#", "homeassistant/status", `lockd/${hotel.id}/+/status`, `${root}/ha/state`]) {
      expect([topic, await home.subscribe(topic)]).toEqual([topic, 1]);
    }
    for (const topic of [
      "lockd/#",
      `lockd/${hotel.id}/#`,
      `lockd/${hotel.id}/+/command`,
      `lockd/${hotel.id + 1}/+/status`,
    ]) {
      expect([topic, await home.subscribe(topic)]).toEqual([topic, 128]);
    }
    await home.end();
  });
});

it("does not let a gateway fill Mosquitto's memory with messages that it never reads", async () => {
  const access = await owner.api.locks.saveLink.mutate({ kind: "zigbee2mqtt", baseTopic: "zigbee2mqtt" });
  const gateway = await connected(access);
  await gateway.subscribe("zigbee2mqtt/#");
  const { mqtt } = gateway;
  const { handleMessage } = mqtt;
  const ports: number[] = [];
  const waiting: (() => void)[] = [];
  // Delays all acknowledgements until everything has been published.
  mqtt.handleMessage = ({ payload }, done) => {
    ports.push(payload.length);
    waiting.push(done);
  };
  const MIB = 1024 * 1024;
  for (let n = 0; n < 40; n += 1) {
    await new Promise((sent) => mqtt.stream.write(publication("zigbee2mqtt/filler", n + 1, 4 * MIB), sent));
  }
  mqtt.handleMessage = (packet, done) => {
    ports.push(packet.payload.length);
    handleMessage.call(mqtt, packet, done);
  };
  for (const done of waiting) done();
  await vi.waitFor(() => {
    mqtt.publish("zigbee2mqtt/end", "end", { qos: 1 });
    expect(ports).toContain(3);
  }, 20_000);
  expect(ports.filter((bytes) => bytes > 3).length).toBeLessThan(30);
  await gateway.end();
  await owner.api.locks.removeLink.mutate({ kind: "zigbee2mqtt" });
});

/** Builds a PUBLISH packet with QoS 1, to send without waiting for its acknowledgement. */
function publication(topic: string, messageId: number, bytes: number): Buffer {
  const name = Buffer.from(topic);
  const head = Buffer.from([0, name.length, ...name, messageId >> 8, messageId & 0xff]);
  const size = head.length + bytes;
  const length = [0, 7, 14].map((shift) => ((size >> shift) & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([0x32, ...length, size >> 21]), head, Buffer.alloc(bytes, "x")]);
}
