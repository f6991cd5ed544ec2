import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import {
  ackMessage,
  type CommandMessage,
  eventMessage,
  type LockEvent,
  lockTopics,
} from "@innkey/shared/locks/protocol";
import { Aedes } from "aedes";
import { connectAsync } from "mqtt";
import type { LockAccess } from "./lock-client.ts";

export const HOTEL = 1;
export const PAIRING_SECRET = "000102030405060708090A0B0C0D0E0F";

/**
 * A broker that checks passwords, and a test console that records all messages and sends only what the test asks for.
 */
export async function testBroker() {
  const passwords = new Map<string, string>([["console", "inside"]]);
  const broker = await Aedes.createBroker({
    authenticate: (_client, user, password, done) => done(null, passwords.get(user ?? "") === password?.toString()),
  });
  const server = createServer(broker.handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const console = await connectAsync(url, { username: "console", password: "inside", reconnectPeriod: 0 });
  const messages: { topic: string; text: string; json: unknown }[] = [];
  console.on("message", (topic, payload) => {
    const text = payload.toString();
    messages.push({ topic, text, json: text.startsWith("offline") ? text : JSON.parse(text) });
  });
  await console.subscribeAsync("lockd/#", { qos: 1 });

  const from = (mac: string, part: string) =>
    messages.filter(({ topic }) => topic === `${lockTopics.root(HOTEL, mac)}/${part}`);
  return {
    url,
    broker,
    passwords,
    access(mac: string, password = `key-of-${mac}`): LockAccess {
      const user = `${HOTEL}/${mac.replaceAll(":", "")}`;
      passwords.set(user, password);
      return { url, user, password, pairingSecret: PAIRING_SECRET, hotelId: HOTEL, mac };
    },
    tell: (mac: string, command: CommandMessage) =>
      console.publishAsync(`${lockTopics.root(HOTEL, mac)}/command`, JSON.stringify(command), { qos: 1 }),
    takeEvents: (mac: string, seq: number) =>
      console.publishAsync(`${lockTopics.root(HOTEL, mac)}/event/ack`, JSON.stringify({ seq }), { qos: 1 }),
    statuses: (mac: string): unknown[] => from(mac, "status").map(({ json }) => json),
    acks: (mac: string) => from(mac, "ack").map(({ json }) => ackMessage.parse(json)),
    batches: (mac: string): LockEvent[][] => from(mac, "event").map(({ json }) => eventMessage.parse(json).events),
    /** Drops a lock's connection, as a network failure does. */
    cut: (mac: string) => {
      const client = Object.values(Object(broker).clients as Record<string, { id: string; close(): void }>);
      client.find(({ id }) => id.endsWith(mac.replaceAll(":", "")))?.close();
    },
    async close(): Promise<void> {
      await console.endAsync(true);
      await new Promise<void>((resolve) => broker.close(resolve));
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
