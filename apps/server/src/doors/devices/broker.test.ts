import { createServer } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Broker, startBroker } from "../../infra/broker.ts";
import { createLogger } from "../../infra/logger.ts";
import type { DeviceAccess, DeviceUser } from "../../modules/locks/reports.ts";
import { DeviceClient } from "../../testing/device-client.ts";
import { brokerRules, type DeviceSession, newServerLogin } from "./broker-rights.ts";

const ACCOUNTS: Record<string, DeviceUser> = {
  "1/A4C1380000A1": { kind: "lock", hotelId: 1, mac: "A4:C1:38:00:00:A1" },
  "1/A4C1380000A2": { kind: "lock", hotelId: 1, mac: "A4:C1:38:00:00:A2" },
  "2/A4C1380000A1": { kind: "lock", hotelId: 2, mac: "A4:C1:38:00:00:A1" },
  "zigbee2mqtt-1": { kind: "link", hotelId: 1, link: "zigbee2mqtt", base: "zigbee2mqtt" },
};
const access: DeviceAccess = {
  authenticate: async (user, password) => (password === `key of ${user}` ? (ACCOUNTS[user] ?? null) : null),
};
const login = newServerLogin();
const log = createLogger("silent");
let broker: Broker<DeviceSession>;
let url: string;

const start = (port: number) =>
  startBroker<DeviceSession>({
    host: "127.0.0.1",
    port,
    portSetting: "MQTT_PORT",
    mostClients: 50,
    rules: brokerRules(login, access),
    log,
  });
const as = (user: string, options: { clientId?: string; keepalive?: number; password?: string } = {}) =>
  DeviceClient.connect(url, { username: user, password: `key of ${user}`, ...options });
const server = () => DeviceClient.connect(url, { username: login.user, password: login.password });

beforeAll(async () => {
  broker = await start(0);
  url = `mqtt://127.0.0.1:${broker.port}`;
});
afterAll(() => broker.close());

it.each([
  ["1/A4C1380000A1", "key of 1/A4C1380000A2"],
  ["1/A4C1380000A9", "key of 1/A4C1380000A9"],
  ["innkey", "innkey"],
  ["", ""],
])("refuses %s with %s", async (user, password) => {
  await expect(as(user, { password })).rejects.toThrow(/Bad username or password|Not authorized/i);
});

it("keeps who guesses waiting for the answer, and lets in at once who is right", async () => {
  const own = await start(0);
  const from = (password: string) =>
    DeviceClient.connect(`mqtt://127.0.0.1:${own.port}`, { username: "1/A4C1380000A1", password });
  for (let guesses = 0; guesses < 5; guesses += 1) await expect(from(`guess ${guesses}`)).rejects.toThrow();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let told = "";
    void from("guess 5").catch((error: Error) => {
      told = error.message;
    });
    for (let logins = 0; logins < 3; logins += 1) await (await from("key of 1/A4C1380000A1")).end();
    expect(told).toBe("");
    while (told === "") await vi.advanceTimersByTimeAsync(100);
    expect(told).toMatch(/Bad username or password|Not authorized/i);
  } finally {
    vi.useRealTimers();
    await own.close();
  }
});

it("refuses a client that need never speak", async () => {
  await expect(as("1/A4C1380000A1", { keepalive: 0 })).rejects.toThrow();
  await expect(as("1/A4C1380000A1", { keepalive: 3600 })).rejects.toThrow();
});

it("carries a lock's words to the server and back, and to nobody else", async () => {
  const [console_, lock, neighbour, foreign] = await Promise.all([
    server(),
    as("1/A4C1380000A1"),
    as("1/A4C1380000A2"),
    as("2/A4C1380000A1"),
  ]);
  await console_.subscribe("lockd/+/+/event");
  expect(await lock.subscribe("lockd/1/A4C1380000A1/command")).toBe(1);
  expect(await neighbour.subscribe("lockd/1/A4C1380000A1/command")).toBe(128);
  expect(await foreign.subscribe("lockd/+/+/command")).toBe(128);
  expect(await foreign.subscribe("#")).toBe(128);
  await lock.publish("lockd/1/A4C1380000A1/event", "said");
  expect((await console_.on("lockd/1/A4C1380000A1/event")).text).toBe("said");
  await console_.publish("lockd/1/A4C1380000A1/command", "do");
  expect((await lock.on("lockd/1/A4C1380000A1/command")).text).toBe("do");
  expect([...neighbour.rest, ...foreign.rest]).toEqual([]);
  await Promise.all([console_, lock, neighbour, foreign].map((client) => client.end()));
});

it.each(["lockd/1/A4C1380000A2/ack", "lockd/2/A4C1380000A1/status", "lockd/1/A4C1380000A1/command", "zigbee2mqtt/x"])(
  "cuts off a lock that publishes to %s, and nobody hears it",
  async (topic) => {
    const [console_, lock] = await Promise.all([server(), as("1/A4C1380000A1")]);
    await console_.subscribe("#");
    void lock.publish(topic, "forged").catch(() => {});
    await lock.closed;
    await console_.publish("marker", "then");
    await console_.on("marker");
    expect(console_.rest.filter(({ text }) => text === "forged")).toEqual([]);
    await console_.end();
  },
);

it("drops a last will on a topic that is not the lock's", async () => {
  const console_ = await server();
  await console_.subscribe("lockd/+/+/status");
  const will = { topic: "lockd/1/A4C1380000A2/status", payload: Buffer.from("offline"), qos: 1 as const };
  const bad = await DeviceClient.connect(url, {
    username: "1/A4C1380000A1",
    password: "key of 1/A4C1380000A1",
    will,
  });
  bad.mqtt.stream.destroy();
  await bad.closed;
  const good = await DeviceClient.connect(url, {
    username: "1/A4C1380000A2",
    password: "key of 1/A4C1380000A2",
    will: { ...will, retain: true },
  });
  good.mqtt.stream.destroy();
  expect((await console_.on("lockd/1/A4C1380000A2/status")).text).toBe("offline");
  expect(console_.rest).toEqual([]);
  await console_.end();
});

it("gives a lock one connection: the second ends the first", async () => {
  const first = await as("1/A4C1380000A1", { clientId: "one" });
  const second = await as("1/A4C1380000A1", { clientId: "two" });
  await first.closed;
  expect(await second.subscribe("lockd/1/A4C1380000A1/command")).toBe(1);
  await second.end();
});

it("lets no lock take another's place by calling itself so", async () => {
  const lock = await as("1/A4C1380000A1", { clientId: "lock" });
  const other = await as("1/A4C1380000A2", { clientId: "lock" });
  expect(await other.subscribe("lockd/1/A4C1380000A2/command")).toBe(1);
  expect(await lock.subscribe("lockd/1/A4C1380000A1/command")).toBe(1);
  await Promise.all([lock.end(), other.end()]);
});

it("cuts off a lock whose message is too long, before it has come", async () => {
  const [console_, lock, zigbee] = await Promise.all([server(), as("1/A4C1380000A1"), as("zigbee2mqtt-1")]);
  await console_.subscribe("#");
  await lock.publish("lockd/1/A4C1380000A1/event", "x".repeat(250_000));
  await console_.on("lockd/1/A4C1380000A1/event");
  void lock.publish("lockd/1/A4C1380000A1/event", "x".repeat(270_000)).catch(() => {});
  await lock.closed;
  await zigbee.publish("zigbee2mqtt/bridge/devices", "x".repeat(1_000_000));
  await console_.on("zigbee2mqtt/bridge/devices");
  expect(console_.rest.filter(({ topic }) => topic.endsWith("/event"))).toEqual([]);
  await Promise.all([console_.end(), zigbee.end()]);
});

it("ends connections whose right is gone", async () => {
  const [lock, zigbee] = await Promise.all([as("1/A4C1380000A1"), as("zigbee2mqtt-1")]);
  broker.end(({ user }) => user.kind === "link" && user.hotelId === 1);
  await zigbee.closed;
  expect(await lock.subscribe("lockd/1/A4C1380000A1/command")).toBe(1);
  await lock.end();
});

it("says which setting to change when the port is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const address = taken.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  await expect(start(port)).rejects.toThrow(`Port ${port} for the locks is taken. Set another MQTT_PORT.`);
  taken.close();
});
