import { expect, it } from "vitest";
import { createLogger } from "../telemetry/logger.ts";
import { type Broker, type BrokerSession, startBroker } from "./broker.ts";
import { connectMqtt, type MqttLink } from "./mqtt.ts";

const log = createLogger("silent");
const start = (port: number): Promise<Broker> =>
  startBroker<BrokerSession>({
    host: "127.0.0.1",
    port,
    portSetting: "PORT",
    maxClients: 10,
    log,
    rules: {
      authenticate: async (user, _password, clientId) => ({
        account: user,
        clientId: user || clientId,
        maxConnections: 10,
        maxPacketBytes: 1_000_000,
        maxRetained: { topics: 100, bytes: 1_000_000 },
      }),
      mayPublish: () => true,
      maySubscribe: () => true,
    },
  });
const connect = (port: number, user: string, maxConcurrentMessages = 100): Promise<MqttLink> =>
  connectMqtt({ url: `mqtt://127.0.0.1:${port}`, user, password: "", maxConcurrentMessages, log });

it("reconnects and resubscribes after the broker restarts, and refuses to send meanwhile", async () => {
  const first = await start(0);
  const { port } = first;
  const [one, two] = await Promise.all([connect(port, "one"), connect(port, "two")]);
  const received: string[] = [];
  two.onMessage = async ({ payload }) => void received.push(payload.toString());
  two.subscribe(["a/+"]);
  await expect.poll(() => one.publish("a/1", "before").then(() => received.length)).toBeGreaterThan(0);

  await first.close();
  await expect.poll(() => one.connected || two.connected).toBe(false);
  await expect(one.publish("a/1", "lost")).rejects.toThrow("no connection");
  let back = 0;
  one.onConnect = () => {
    back += 1;
  };
  const second = await start(port);
  await expect.poll(() => one.connected && two.connected, { timeout: 10_000 }).toBe(true);
  expect(back).toBe(1);
  received.length = 0;
  await expect.poll(() => one.publish("a/1", "after").then(() => received.length)).toBeGreaterThan(0);
  expect(received).not.toContain("lost");
  await Promise.all([one.close(), two.close()]);
  await second.close();
});

it("starts without a broker and connects once there is one", async () => {
  const probe = await start(0);
  const { port } = probe;
  await probe.close();
  const link = await connect(port, "one");
  expect(link.connected).toBe(false);
  await expect(link.publish("a", "x")).rejects.toThrow();
  const broker = await start(port);
  await expect.poll(() => link.connected, { timeout: 10_000 }).toBe(true);
  await link.close();
  await broker.close();
}, 20_000);

it("gives up on a message when its time is over", async () => {
  const broker = await start(0);
  const link = await connect(broker.port, "one");
  await expect(link.publish("a", "x", { signal: AbortSignal.abort() })).rejects.toThrow();
  await link.publish("a", "x", { signal: AbortSignal.timeout(5_000) });
  await link.close();
  await broker.close();
});

it("reads only as many messages as it may work on at once, and loses none", async () => {
  const broker = await start(0);
  const [sender, reader] = await Promise.all([connect(broker.port, "one"), connect(broker.port, "two", 3)]);
  const started: string[] = [];
  const release: (() => void)[] = [];
  reader.onMessage = ({ payload }) => {
    if (payload.toString() === "hello") return Promise.resolve();
    started.push(payload.toString());
    return new Promise((resolve) => release.push(resolve));
  };
  let greeted = false;
  sender.onMessage = async () => {
    greeted = true;
  };
  reader.subscribe(["a"]);
  sender.subscribe(["echo"]);
  await expect.poll(() => sender.publish("echo", "hello").then(() => greeted)).toBe(true);
  await reader.publish("a", "hello");
  for (let number = 1; number <= 20; number += 1) await sender.publish("a", `${number}`);
  await expect.poll(() => started.length).toBe(3);
  await sender.publish("echo", "hello");
  expect(started).toEqual(["1", "2", "3"]);
  while (started.length < 20 || release.length > 0) {
    release.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(started).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 1}`));
  await Promise.all([sender.close(), reader.close()]);
  await broker.close();
});
