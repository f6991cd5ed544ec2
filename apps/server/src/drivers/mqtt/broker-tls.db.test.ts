import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectPlain, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import type { IClientOptions } from "mqtt";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { DeviceClient } from "../../../test/clients/device-client.ts";
import { createTestServer, type TestServer } from "../../../test/harness/server.ts";
import { type Broker, type BrokerOptions, startBroker } from "../../adapters/mqtt/broker.ts";
import { type BrokerCertificate, ensureBrokerCertificate } from "../../adapters/mqtt/broker-certificate.ts";
import type { DeviceAccess } from "../../domain/access/lock-links/driver.ts";
import { type DevicePlane, startDevices } from "../device-plane.ts";
import { brokerRules, type DeviceSession, newServerLogin } from "./broker-accounts.ts";

const USER = "1/A4C1380000A1";
const OTHER = "1/A4C1380000A2";
const access: DeviceAccess = {
  authenticate: async (user, password) =>
    password === `key of ${user}`
      ? { kind: "lock", hotelId: 1, mac: user === USER ? "A4:C1:38:00:00:A1" : "A4:C1:38:00:00:A2" }
      : null,
};
const lines: string[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });

let directory: string;
let created: BrokerCertificate;
let broker: Broker<DeviceSession>;
const sockets: Socket[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkey-tls-"));
  created = await certificateFor(["localhost", "127.0.0.1"]);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await broker?.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

const certificateFor = (names: string[]): Promise<BrokerCertificate> =>
  ensureBrokerCertificate(
    { authority: join(directory, "broker-ca"), certificate: join(directory, "broker-tls") },
    names,
  );

async function start(options: Partial<BrokerOptions<DeviceSession>> = {}, tlsPort = 0): Promise<void> {
  broker = await startBroker<DeviceSession>({
    ...{ host: "127.0.0.1", port: 0, portSetting: "MQTT_PORT", maxClients: 5 },
    ...{ rules: brokerRules(newServerLogin(), access), log, ...options },
    tls: { ...created, port: tlsPort, portSetting: "MQTT_TLS_PORT" },
  });
}

const login = (user: string, options: IClientOptions = {}): Promise<DeviceClient> =>
  DeviceClient.connect(`mqtts://localhost:${broker.tlsPort}`, {
    ...{ username: user, password: `key of ${user}`, ca: created.authority, ...options },
  });

/** Opens sockets that never log in; with `agreed`, they complete the TLS handshake. */
async function idle(count: number, agreed: boolean): Promise<Socket[]> {
  const port = broker.tlsPort ?? 0;
  const opened = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = agreed
        ? connectTls({ host: "127.0.0.1", port, servername: "localhost", ca: created.authority })
        : connectPlain(port, "127.0.0.1");
      const ready = once(socket, agreed ? "secureConnect" : "connect");
      socket.on("error", () => undefined);
      await Promise.race([ready.catch(() => undefined), new Promise((resolve) => socket.once("close", resolve))]);
      return socket;
    }),
  );
  sockets.push(...opened);
  return opened;
}

it("exchanges messages between an encrypted lock and an unencrypted client", async () => {
  await start();
  const lock = await login(USER);
  expect(await lock.subscribe(`lockd/${USER}/command`)).toBe(1);
  expect(await lock.subscribe("lockd/#")).toBe(128);
  const plain = { username: USER, password: `key of ${USER}` };
  const again = await DeviceClient.connect(`mqtt://127.0.0.1:${broker.port}`, plain);
  await lock.closed;
  expect(await again.subscribe(`lockd/${USER}/command`)).toBe(1);
  await again.end();
});

it("refuses unknown clients as without encryption, and locks that do not know the authority refuse it", async () => {
  await start();
  const reasonAt = (url: string, options: IClientOptions): Promise<string> =>
    DeviceClient.connect(url, { username: USER, password: "guessed", ...options }).then(
      () => "let in",
      (error: Error) => error.message,
    );
  const plain = await reasonAt(`mqtt://127.0.0.1:${broker.port}`, {});
  const encrypted = await reasonAt(`mqtts://localhost:${broker.tlsPort}`, { ca: created.authority });
  expect([plain, encrypted]).toEqual([plain, plain]);
  expect(plain).toMatch(/Bad username or password|Not authorized/i);
  await expect(login(USER, { ca: [] })).rejects.toThrow(/certificate/);
});

it.each([
  ["before the TLS handshake", false],
  ["after it", true],
])("ends most connections that are idle %s, and keeps no lock out", async (_when, agreed) => {
  await start({ strangers: { all: 20, perNetwork: 10 }, maxClients: 1 });
  const waiting = await idle(30, agreed);
  const lock = await login(USER);
  await expect(login(OTHER)).rejects.toThrow(/unavailable/i);
  await vi.waitFor(() => expect(waiting.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(10));
  await lock.end();
  await vi.waitFor(async () => (await login(OTHER)).end());
});

it("disconnects a client that sends too much before it logs in", async () => {
  await start();
  const [socket] = await idle(1, true);
  // A CONNECT packet that claims a length of one megabyte.
  socket?.write(Buffer.from([0x10, 0x80, 0x80, 0x40, 0x00, 0x04]));
  await vi.waitFor(() => expect(socket?.closed).toBe(true));
});

it("shows a new certificate at once", async () => {
  await start();
  broker.replaceCertificate(await certificateFor(["127.0.0.1", "localhost", "renamed.example"]));
  const [socket] = await idle(1, true);
  const { subjectaltname } = (socket as ReturnType<typeof connectTls>).getPeerCertificate();
  expect(subjectaltname).toContain("renamed.example");
});

it("continues unencrypted where the port is taken, and reports it", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const bound = other.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : 0;
  await start({}, port);
  expect(broker.tlsPort).toBeNull();
  expect(lines.join("")).toContain(
    `locks can't connect encrypted: Port ${port} for the locks is taken. Set another MQTT_TLS_PORT.`,
  );
  const plain = { username: USER, password: `key of ${USER}` };
  await (await DeviceClient.connect(`mqtt://127.0.0.1:${broker.port}`, plain)).end();
  other.close();
});

it("has an address that the console shows to operators who connect locks, and to nobody else", async () => {
  const server: TestServer = await createTestServer();
  const { services, clock } = server;
  const plane: DevicePlane = await startDevices({
    mqttUrl: undefined,
    publicUrl: undefined,
    dynamicSecurity: false,
    broker: { host: "127.0.0.1", port: 0, maxClients: 5, tls: { port: 0, directory: join(directory, "data") } },
    locks: services.locks,
    reports: services.lockReports,
    access: services.deviceAccess,
    links: services.links,
    scopes: services.scopes,
    faceImages: async () => null,
    relay: { subscribe: () => () => {} },
    now: () => clock.now(),
    log,
  });
  const hotel = await server.createHotel({});
  const owner = await server.loginAs(await server.createOperator(hotel, { role: "owner" }));
  const at = await owner.api.locks.encryptedBroker.query();
  const { lockId } = await owner.api.locks.save.mutate({ mac: "A4:C1:38:00:00:A1", roomId: null });
  const { user, password, url } = await owner.api.locks.connect.mutate({ lockId });
  expect(url).toMatch(/^mqtt:/);
  const lock = await DeviceClient.connect(at?.url ?? "", { username: user, password, ca: at?.authority ?? "" });
  await lock.end();
  await plane.close();
  await server.close();
});
