import { setTimeout as delay } from "node:timers/promises";
import { connectAsync, type MqttClient } from "mqtt";
import { Desk } from "../clients/desk.ts";
import type { Cluster } from "./cluster.ts";

type Server = { url: string };

export const OWNER = { account: "owner@example.test", password: "two-servers-one-house" };
const HOUR_MS = 3_600_000;

/** Creates the first hotel of an empty system through `server`. Returns its owner, logged in. */
export async function openHotel(server: Server): Promise<Desk> {
  const owner = new Desk();
  await owner.call(server, "setup.create", {
    hotel: { name: "Twins", timeZone: "Europe/Berlin", currency: "EUR" },
    owner: { name: "Owner", ...OWNER },
  });
  return owner;
}

export async function addRoom(desk: Desk, server: Server, name: string): Promise<number> {
  return (await desk.call<{ roomId: number }>(server, "rooms.save", { name, groupId: null })).roomId;
}

export async function checkIn(desk: Desk, server: Server, roomId: number, name: string): Promise<number> {
  const { stayId } = await desk.call<{ stayId: number }>(server, "stays.checkIn", {
    roomId,
    unit: "day",
    startsAt: new Date(),
    endsAt: new Date(Date.now() + 24 * HOUR_MS),
    agreedTotalMinor: 9_000,
    guests: [{ name }],
  });
  return stayId;
}

/** A lock at the broker that executes and acknowledges commands; while `silent` it doesn't acknowledge. */
export class DoorLock {
  silent = false;
  readonly #mqtt: MqttClient;
  readonly #root: string;
  readonly #commands: { id: string; type: string }[] = [];
  #acknowledged = 0;

  /** Registers and sets up the lock of a room through `server`. */
  static async install(cluster: Cluster, desk: Desk, server: Server, roomId: number, mac: string): Promise<DoorLock> {
    const { lockId } = await desk.call<{ lockId: number }>(server, "locks.save", { mac, roomId });
    const { topic } = await desk.call<{ topic: string }>(server, "locks.connect", { lockId });
    const mqtt = await connectAsync(cluster.brokerUrl, { clientId: mac });
    const lock = new DoorLock(mqtt, topic);
    await mqtt.subscribeAsync([`${topic}/command`, `${topic}/event/ack`], { qos: 1 });
    await lock.#say("status", { state: "online", at: new Date().toISOString() }, true);
    return lock;
  }

  private constructor(mqtt: MqttClient, root: string) {
    this.#mqtt = mqtt;
    this.#root = root;
    mqtt.on("message", (topic, payload) => this.#hear(topic, JSON.parse(payload.toString("utf8"))));
  }

  /** Returns the ids of received commands of this type, including duplicates. */
  received(type: string): string[] {
    return this.#commands.filter((command) => command.type === type).map(({ id }) => id);
  }

  /** Sends an event several times and waits until it is acknowledged. */
  async tell(seq: number, event: object, times = 1): Promise<void> {
    const at = new Date().toISOString();
    await Promise.all(Array.from({ length: times }, () => this.#say("event", { seq, at, ...event })));
    while (this.#acknowledged < seq) await delay(10);
  }

  async end(): Promise<void> {
    await this.#mqtt.endAsync(true);
  }

  async #say(part: string, message: object, retain = false): Promise<void> {
    await this.#mqtt.publishAsync(`${this.#root}/${part}`, JSON.stringify(message), { qos: 1, retain });
  }

  #hear(topic: string, message: { id: string; type: string; seq: number }): void {
    if (topic.endsWith("/event/ack")) {
      this.#acknowledged = Math.max(this.#acknowledged, message.seq);
      return;
    }
    const { id, type } = message;
    this.#commands.push({ id, type });
    if (!this.silent) void this.#say("ack", { id, ok: true, ...(type === "read_back" && { held: [] }) });
  }
}
