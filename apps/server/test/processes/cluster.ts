import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectAsync, type MqttClient } from "mqtt";
import pg from "pg";
import { Desk } from "../clients/desk.ts";
import { createTestDatabase } from "../harness/database.ts";
import { RedisServer, startMosquitto } from "./foreign-servers.ts";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** The built server as a separate process. */
export class ServerProcess {
  readonly url: string;
  readonly #process: ChildProcess;

  /** Starts the server and resolves when it is ready. @throws Error with its output if it ends before that */
  static async start(env: Record<string, string>): Promise<ServerProcess> {
    if (!existsSync(MAIN)) throw new Error("build the server first: node scripts/build.mjs");
    const child = spawn(process.execPath, [MAIN, "--empty"], {
      env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "fatal", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      process.stderr.write(chunk);
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const address = /http:\/\/[\w.]+:\d+/.exec(output);
        if (address) resolve(address[0].replace("localhost", "127.0.0.1"));
      });
      child.once("exit", () => reject(new Error(`the server ended:\n${output}`)));
    });
    return new ServerProcess(child, url);
  }

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.url = url;
  }

  /** Stops it with SIGTERM, as an operator does. Returns its exit code. */
  async stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, "exit");
      this.#process.kill(signal);
      await ended;
    }
    return this.#process.exitCode;
  }
}

/**
 * Several servers and workers as in production: built, each a separate process, on one real PostgreSQL database, Redis
 * and broker.
 */

export const CLUSTER_KEY = Buffer.alloc(32, 9);

export interface Cluster {
  redis: RedisServer;
  brokerUrl: string;
  /** To read what the servers wrote */
  database: pg.Pool;
  web(settings?: Record<string, string>): Promise<ServerProcess>;
  worker(settings?: Record<string, string>): Promise<ServerProcess>;
  close(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), "innkey-cluster-"));
  const [{ url, drop }, redis, broker] = await Promise.all([
    createTestDatabase(),
    RedisServer.start(),
    startMosquitto(directory),
  ]);
  const database = new pg.Pool({ connectionString: url, max: 2 });
  const shared = {
    DATABASE_URL: url,
    DATABASE_POOL: "4",
    REDIS_URL: redis.url,
    MQTT_URL: broker.url,
    SECRET_KEY: CLUSTER_KEY.toString("hex"),
    DATA_DIR: directory,
    WEBHOOK_ALLOW_LOCAL: "true",
    TRUST_PROXY: "true",
  };
  const started: Promise<ServerProcess>[] = [];
  const start = (settings: Record<string, string>): Promise<ServerProcess> => {
    const server = ServerProcess.start({ ...shared, ...settings });
    started.push(server);
    return server;
  };
  return {
    redis,
    brokerUrl: broker.url,
    database,
    web: (settings) => start({ ROLE: "web", ...settings }),
    worker: (settings) => start({ ROLE: "worker", ...settings }),
    async close() {
      // Includes servers that are still starting after a test stopped waiting for them.
      await Promise.allSettled(started.map(async (server) => (await server).stop()));
      await database.end();
      await Promise.all([broker.stop(), redis.kill(), drop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

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
