import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { IClientOptions } from "mqtt";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DeviceClient } from "../../../test/clients/device-client.ts";
import { type Broker, startBroker } from "../../adapters/mqtt/broker.ts";
import { createLogger } from "../../adapters/telemetry/logger.ts";
import type { DeviceAccess, DeviceUser } from "../../domain/access/lock-links/driver.ts";
import { brokerRules, type DeviceSession, newServerLogin } from "./broker-accounts.ts";

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
    maxClients: 50,
    rules: brokerRules(login, access),
    log,
  });
const as = (user: string, options: Partial<IClientOptions> = {}) =>
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

it("delays the answer to wrong passwords, and admits the right one at once", async () => {
  const own = await start(0);
  const from = (password: string) =>
    DeviceClient.connect(`mqtt://127.0.0.1:${own.port}`, { username: "1/A4C1380000A1", password });
  for (let guesses = 0; guesses < 5; guesses += 1) await expect(from(`guess ${guesses}`)).rejects.toThrow();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let address = "";
    void from("guess 5").catch((error: Error) => {
      address = error.message;
    });
    for (let logins = 0; logins < 3; logins += 1) await (await from("key of 1/A4C1380000A1")).end();
    expect(address).toBe("");
    while (address === "") await vi.advanceTimersByTimeAsync(100);
    expect(address).toMatch(/Bad username or password|Not authorized/i);
  } finally {
    vi.useRealTimers();
    await own.close();
  }
});

describe("connections that don't log in", () => {
  /** Starts a broker for one client, with 30 idle sockets, and returns a way to log in. */
  async function besieged() {
    const own = await startBroker<DeviceSession>({
      ...{ host: "127.0.0.1", port: 0, portSetting: "MQTT_PORT", maxClients: 1 },
      strangers: { all: 20, perNetwork: 10 },
      ...{ rules: brokerRules(login, access), log },
    });
    const idle = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const socket = connect(own.port, "127.0.0.1");
        socket.on("error", () => undefined);
        await once(socket, "connect");
        return socket;
      }),
    );
    const logIn = (user: string) =>
      DeviceClient.connect(`mqtt://127.0.0.1:${own.port}`, { username: user, password: `key of ${user}` });
    const close = async () => {
      for (const socket of idle) socket.destroy();
      await own.close();
    };
    return { idle, logIn, close };
  }

  it("keep no lock out, however many there are, and most of them are ended", async () => {
    const { idle, logIn, close } = await besieged();
    const lock = await logIn("1/A4C1380000A1");
    expect(await lock.subscribe("lockd/1/A4C1380000A1/command")).toBe(1);
    await vi.waitFor(() => expect(idle.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(10));
    await lock.end();
    await close();
  });

  it("are counted apart from clients, whose number is limited", async () => {
    const { logIn, close } = await besieged();
    const lock = await logIn("1/A4C1380000A1");
    await expect(logIn("1/A4C1380000A2")).rejects.toThrow(/unavailable/i);
    await lock.end();
    await vi.waitFor(async () => (await logIn("1/A4C1380000A2")).end());
    await close();
  });
});

it("refuses a client without a short keepalive", async () => {
  await expect(as("1/A4C1380000A1", { keepalive: 0 })).rejects.toThrow();
  await expect(as("1/A4C1380000A1", { keepalive: 3600 })).rejects.toThrow();
});

it("delivers a lock's messages to the server and back, and to nobody else", async () => {
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
  "disconnects a lock that publishes to %s, and delivers nothing",
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

it("drops a last will on a topic of another lock", async () => {
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

it("keeps one connection per lock: the second ends the first", async () => {
  const first = await as("1/A4C1380000A1", { clientId: "one" });
  const second = await as("1/A4C1380000A1", { clientId: "two" });
  await first.closed;
  expect(await second.subscribe("lockd/1/A4C1380000A1/command")).toBe(1);
  await second.end();
});

it("does not let a lock replace another one by using its client id", async () => {
  const lock = await as("1/A4C1380000A1", { clientId: "lock" });
  const other = await as("1/A4C1380000A2", { clientId: "lock" });
  expect(await other.subscribe("lockd/1/A4C1380000A2/command")).toBe(1);
  expect(await lock.subscribe("lockd/1/A4C1380000A1/command")).toBe(1);
  await Promise.all([lock.end(), other.end()]);
});

it("disconnects a lock whose message is too long, before it has arrived", async () => {
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

it("ends connections whose right is withdrawn", async () => {
  const [lock, zigbee] = await Promise.all([as("1/A4C1380000A1"), as("zigbee2mqtt-1")]);
  broker.end(({ user }) => user.kind === "link" && user.hotelId === 1);
  await zigbee.closed;
  expect(await lock.subscribe("lockd/1/A4C1380000A1/command")).toBe(1);
  await lock.end();
});

describe("the limits of one account", () => {
  const GATEWAY = "zigbee2mqtt-1";
  const mebibytes = (): number => {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    return process.memoryUsage().arrayBuffers / 1024 / 1024;
  };
  /** Builds a PUBLISH packet with QoS 2; the test client never releases it. */
  const unreleased = (topic: string, messageId: number, bytes: number): Buffer => {
    const name = Buffer.from(topic);
    const head = Buffer.from([0, name.length, ...name, messageId >> 8, messageId & 0xff]);
    const length = head.length + bytes;
    const size = [(length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14];
    return Buffer.concat([Buffer.from([0x34, ...size]), head, Buffer.alloc(bytes, "x")]);
  };

  it("bound the memory for messages that are published and never released", async () => {
    const [console_, lock] = await Promise.all([server(), as("1/A4C1380000A1")]);
    await console_.subscribe("lockd/+/+/event");
    const topic = "lockd/1/A4C1380000A1/event";
    const before = mebibytes();
    for (let id = 1; id <= 200; id += 1) {
      lock.mqtt.stream.write(unreleased(topic, id, 250_000));
      await console_.on(topic);
    }
    await vi.waitFor(() => expect(mebibytes() - before).toBeLessThan(15), 5_000);
    await Promise.all([console_.end(), lock.end()]);
  });

  it("end its session with its connection, and keep nothing for clients that are away", async () => {
    const topic = "lockd/1/A4C1380000A1/command";
    const [console_, first] = await Promise.all([server(), as("1/A4C1380000A1", { clientId: "lock", clean: false })]);
    await first.subscribe(topic);
    await first.end();
    await console_.publish(topic, "meanwhile");
    const second = await as("1/A4C1380000A1", { clientId: "lock", clean: false });
    await second.subscribe(topic);
    await console_.publish(topic, "now");
    expect((await second.on(topic)).text).toBe("now");
    expect(second.rest).toEqual([]);
    await Promise.all([console_.end(), second.end()]);
  });

  it("are ten connections at once: another one ends the oldest, and locks still connect", async () => {
    const gateways: DeviceClient[] = [];
    for (let n = 0; n < 60; n += 1) gateways.push(await as(GATEWAY, { clientId: `gateway ${n}` }));
    const isThere = () => gateways.map(({ mqtt }) => mqtt.connected);
    await vi.waitFor(() => expect(isThere()).toEqual(gateways.map((_, n) => n >= 50)));
    const lock = await as("1/A4C1380000A1");
    await Promise.all([...gateways, lock].map((client) => client.end()));
  });

  it("bound the subscriptions of a connection, and unsubscribing makes room", async () => {
    const gateway = await as(GATEWAY);
    const topics = Array.from({ length: 20_001 }, (_, n) => `zigbee2mqtt/${n}`);
    await gateway.mqtt.subscribeAsync(topics, { qos: 0 }).catch(() => undefined);
    expect(await gateway.subscribe("zigbee2mqtt/further")).toBe(128);
    await gateway.mqtt.unsubscribeAsync("zigbee2mqtt/7");
    expect(await gateway.subscribe("zigbee2mqtt/further")).toBe(1);
    await gateway.end();
  });
});

describe("retained messages", () => {
  const FILLER = "zigbee2mqtt/filler";
  const MIB = 1024 * 1024;

  /** Starts a separate broker; returns its warnings and a reader of its retained messages. */
  async function ownBroker() {
    const warn = vi.fn();
    const own = await startBroker<DeviceSession>({
      ...{ host: "127.0.0.1", port: 0, portSetting: "MQTT_PORT", maxClients: 50 },
      ...{ rules: brokerRules(login, access), log: Object.assign(createLogger("silent"), { warn }) },
    });
    const at = `mqtt://127.0.0.1:${own.port}`;
    const logIn = (user: string, options: Partial<IClientOptions> = {}) =>
      DeviceClient.connect(at, { username: user, password: `key of ${user}`, ...options });
    const console_ = () => DeviceClient.connect(at, { username: login.user, password: login.password });
    /** Returns all retained messages, once at least `least` have arrived. */
    async function retained(topic: string, least: number) {
      const reader = await console_();
      await reader.subscribe(topic);
      await vi.waitFor(() => expect(reader.rest.length).toBeGreaterThanOrEqual(least), 10_000);
      await delay(200);
      const messages = [...reader.rest];
      await reader.end();
      return messages;
    }
    return { own, warn, logIn, console_, retained };
  }

  it("of one account are limited in number; others are delivered but not retained, and logged once", async () => {
    const { own, warn, logIn, console_, retained } = await ownBroker();
    const [gateway, reader] = await Promise.all([logIn("zigbee2mqtt-1"), console_()]);
    await Promise.all(Array.from({ length: 2_000 }, (_, n) => gateway.publish(`${FILLER}/${n}`, "x", true)));
    expect(warn).not.toHaveBeenCalled();
    await reader.subscribe(`${FILLER}/#`);
    await Promise.all(Array.from({ length: 50 }, (_, n) => gateway.publish(`${FILLER}/more/${n}`, "x", true)));
    expect((await reader.on(`${FILLER}/more/49`)).text).toBe("x");
    expect((await retained(`${FILLER}/#`, 2_000)).length).toBe(2_000);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatchObject({ account: "zigbee2mqtt-1" });

    // Clearing a retained message frees its space.
    await gateway.publish(`${FILLER}/0`, "", true);
    await gateway.publish(`${FILLER}/in its place`, "x", true);
    expect((await retained(`${FILLER}/in its place`, 1)).length).toBe(1);
    await Promise.all([gateway.end(), reader.end()]);
    await own.close();
  });

  it("of one account are limited in bytes, and a value that is too large removes the previous one", async () => {
    const { own, logIn, retained } = await ownBroker();
    const [gateway, lock] = await Promise.all([logIn("zigbee2mqtt-1"), logIn("1/A4C1380000A1")]);
    await gateway.publish(`${FILLER}/last`, "before", true);
    for (let n = 0; n < 10; n += 1) await gateway.publish(`${FILLER}/${n}`, "x".repeat(MIB), true);
    await gateway.publish(`${FILLER}/last`, "y".repeat(MIB), true);
    const topics = await retained(`${FILLER}/#`, 5);
    expect(topics.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(8 * MIB);
    expect(topics.filter(({ topic }) => topic.endsWith("/last"))).toEqual([]);

    // Each account has its own limit; a lock's limit is small.
    await lock.publish("lockd/1/A4C1380000A1/status", { state: "online" }, true);
    await lock.publish("lockd/1/A4C1380000A1/event", "x".repeat(200_000), true);
    expect((await retained("lockd/#", 1)).map(({ topic }) => topic)).toEqual(["lockd/1/A4C1380000A1/status"]);
    await Promise.all([gateway.end(), lock.end()]);
    await own.close();
  });

  it.each(["connected", "gone before"])(
    "of an account without rights are removed with its last will: %s",
    async (how) => {
      const { own, logIn, console_, retained } = await ownBroker();
      const will = {
        topic: "zigbee2mqtt/bridge/state",
        payload: Buffer.from("offline"),
        qos: 1 as const,
        retain: true,
      };
      const [gateway, lock, reader] = await Promise.all([
        logIn("zigbee2mqtt-1", { will }),
        logIn("1/A4C1380000A1"),
        console_(),
      ]);
      await reader.subscribe("zigbee2mqtt/bridge/state");
      await gateway.publish(`${FILLER}/1`, "x", true);
      await lock.publish("lockd/1/A4C1380000A1/status", { state: "online" }, true);
      if (how === "gone before") {
        gateway.mqtt.stream.destroy();
        await reader.on("zigbee2mqtt/bridge/state");
        expect((await retained("zigbee2mqtt/#", 2)).length).toBe(2);
      }
      own.end(({ user }) => user.kind === "link" && user.hotelId === 1);
      await gateway.closed;
      if (how === "connected") expect((await reader.on("zigbee2mqtt/bridge/state")).text).toBe("offline");
      expect((await retained("#", 1)).map(({ topic }) => topic)).toEqual(["lockd/1/A4C1380000A1/status"]);

      // After a new login the account starts with an empty limit.
      const again = await logIn("zigbee2mqtt-1");
      await again.publish(`${FILLER}/2`, "x", true);
      expect((await retained(`${FILLER}/#`, 1)).length).toBe(1);
      await Promise.all([again.end(), lock.end(), reader.end()]);
      await own.close();
    },
  );
});

it("names the setting to change when the port is taken", async () => {
  const blocker = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => blocker.once("listening", resolve));
  const address = blocker.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  await expect(start(port)).rejects.toThrow(`Port ${port} for the locks is taken. Set another MQTT_PORT.`);
  blocker.close();
});
