import { ackMessage, commandMessage, eventAck, lockTopics, type StatusMessage } from "@innkey/shared/locks/protocol";
import { connect, type MqttClient } from "mqtt";
import { pause } from "../service.ts";
import type { LockFaults } from "./lock-faults.ts";
import type { VirtualLock } from "./virtual-lock.ts";

/** Longer than the console waits for an answer, so a late message arrives after the console has repeated it. */
export const LATE_MS = 20_000;

/** An unreliable network between the broker and a lock: messages may be delivered twice or out of order. */
export class BadNetwork {
  private delayed: { message: unknown; timer: NodeJS.Timeout }[] = [];
  private readonly handle: (message: unknown) => void;
  private readonly random: () => number;

  constructor(handle: (message: unknown) => void, random: () => number) {
    this.handle = handle;
    this.random = random;
  }

  deliver(message: unknown, { lateCommands, doubleCommands }: LockFaults): void {
    if (this.random() < lateCommands) {
      this.delayed.push({ message, timer: setTimeout(() => this.deliverDelayed(), LATE_MS) });
      return;
    }
    this.handle(message);
    this.deliverDelayed();
    if (this.random() < doubleCommands) this.handle(message);
  }

  /** Drops all delayed messages. */
  stop(): void {
    for (const { timer } of this.delayed.splice(0)) clearTimeout(timer);
  }

  private deliverDelayed(): void {
    for (const { message, timer } of this.delayed.splice(0)) {
      clearTimeout(timer);
      this.handle(message);
    }
  }
}

/** The connection details that an installer enters into a lock. */
export interface LockAccess {
  /** the broker, e.g. mqtt://192.168.1.5:1883 */
  url: string;
  user: string;
  password: string;
  /** 32 hex digits, used to decrypt the lock's keys */
  pairingSecret: string;
  hotelId: number;
  mac: string;
  /** CA certificate of the broker as PEM; without it Node's default certificate authorities are trusted */
  ca?: string;
}

interface LockClientOptions {
  access: LockAccess;
  lock: VirtualLock;
  /** called after each change of the lock's memory, before the lock sends anything */
  onMemoryChange?: () => void;
  /** called when the broker no longer accepts the lock's user or password */
  onRefused?: () => void;
  /** time to wait for the acknowledgement of events before sending them again */
  resendMs?: number;
  /** interval between status messages */
  statusMs?: number;
  random?: () => number;
}

const KEEPALIVE_SECONDS = 30;
const MAX_BATCH = 100;
/** Limit for a clean disconnect, so that an unresponsive broker doesn't delay the shutdown. */
const DISCONNECT_LIMIT_MS = 1000;
const RESTART_AFTER_MS = 1_000;
const AT_LEAST_ONCE = 1;
/** Return codes of CONNACK that a retry doesn't fix (MQTT 3.1.1, table 3.1). */
const LOGIN_REFUSALS: readonly unknown[] = [4, 5];

/** A lock's network connection: one MQTT connection to the broker, using packages/shared/src/locks/protocol.ts. */
export class LockClient {
  private readonly options: Required<LockClientOptions>;
  private readonly topic: string;
  private mqtt: MqttClient | undefined;
  private isSubscribed = false;
  private queue: Promise<void> = Promise.resolve();
  private publishedStatus = "";
  /** number of the last event of the unacknowledged batch */
  private sentUpTo: number | null = null;
  private resendTimer: NodeJS.Timeout | undefined;
  private statusTimer: NodeJS.Timeout | undefined;
  private readonly network: BadNetwork;
  private restartTimer: NodeJS.Timeout | undefined;
  private isStopped = false;
  /** last error of the broker or the network; "" after a successful connection */
  private lastError = "";

  constructor(options: LockClientOptions) {
    this.options = {
      onMemoryChange: () => {},
      onRefused: () => {},
      resendMs: 5_000,
      statusMs: 300_000,
      random: Math.random,
      ...options,
    };
    this.network = new BadNetwork((message) => {
      this.queue = this.queue.then(() => this.handleCommand(message));
    }, this.options.random);
    const { hotelId, mac } = options.access;
    this.topic = lockTopics.root(hotelId, mac);
  }

  /** Whether the lock is connected and subscribed. */
  get online(): boolean {
    return this.isSubscribed;
  }

  /** State of the connection in words, for diagnosing why the lock is offline. */
  get connection(): string {
    if (this.isSubscribed) return "ready";
    if (this.restartTimer) return "restarting";
    if (!this.mqtt) return this.lastError ? `refused (${this.lastError})` : "cut off";
    return this.mqtt.connected ? "connected" : `connecting${this.lastError && ` (last: ${this.lastError})`}`;
  }

  start(): void {
    const { lock, statusMs } = this.options;
    lock.pair(this.options.access.pairingSecret);
    lock.changed = () => this.afterChange();
    this.statusTimer = setInterval(() => this.publishStatus(true), statusMs);
    this.afterChange();
  }

  /** Disconnects cleanly, unless the lock is cut off. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.statusTimer);
    clearTimeout(this.restartTimer);
    this.network.stop();
    this.options.lock.changed = this.options.onMemoryChange;
    const { mqtt, isSubscribed } = this;
    this.forgetConnection();
    if (!mqtt) return;
    if (isSubscribed) {
      const offlineStatus = JSON.stringify({ state: "offline" } satisfies StatusMessage);
      const published = mqtt.publishAsync(`${this.topic}/status`, offlineStatus, { qos: AT_LEAST_ONCE, retain: true });
      await Promise.race([published.then(() => mqtt.endAsync()).catch(() => {}), pause(DISCONNECT_LIMIT_MS)]);
    }
    await mqtt.endAsync(true);
  }

  private afterChange(): void {
    const { lock, onMemoryChange } = this.options;
    onMemoryChange();
    if (lock.faults.offline || lock.flat) this.cutOff();
    else if (!this.mqtt && !this.restartTimer) this.connect();
    this.publishStatus(false);
    this.sendEvents();
  }

  private connect(): void {
    const { lock } = this.options;
    const { url, user, password, ca } = this.options.access;
    const mqtt = connect(url, {
      ...(ca !== undefined && { ca }),
      clientId: user,
      username: user,
      password,
      clean: false,
      keepalive: KEEPALIVE_SECONDS,
      reconnectPeriod: 1000 + this.options.random() * 1000,
      // A broker that can't check the login at the moment refuses it too; refusals for good are handled below.
      reconnectOnConnackError: true,
      resubscribe: false,
      will: { topic: `${this.topic}/status`, payload: Buffer.from("offline"), qos: AT_LEAST_ONCE, retain: true },
    });
    this.mqtt = mqtt;
    mqtt.on("message", (topic, payload) => {
      if (topic.endsWith("/event/ack")) this.handleEventAck(jsonOf(payload));
      else this.network.deliver(jsonOf(payload), lock.faults);
    });
    mqtt.on("connect", () => void this.subscribe(mqtt));
    mqtt.on("close", () => {
      if (mqtt === this.mqtt) this.clearConnectionState();
    });
    mqtt.on("error", (error) => {
      this.lastError = error.message;
      if (mqtt !== this.mqtt || !LOGIN_REFUSALS.includes("code" in error ? error.code : undefined)) return;
      this.forgetConnection();
      mqtt.end(true);
      this.options.onRefused();
    });
  }

  private async subscribe(mqtt: MqttClient): Promise<void> {
    const topics = [`${this.topic}/command`, `${this.topic}/event/ack`];
    try {
      await mqtt.subscribeAsync(topics, { qos: AT_LEAST_ONCE });
    } catch (error) {
      // If the connection dropped meanwhile, the next one subscribes. A connection without its subscription is useless.
      if (mqtt !== this.mqtt || !mqtt.connected) return;
      this.lastError = error instanceof Error ? error.message : String(error);
      this.restart();
      return;
    }
    if (mqtt !== this.mqtt) return;
    this.isSubscribed = true;
    this.lastError = "";
    this.publishStatus(true);
    this.sendEvents();
  }

  /** Drops the connection without a DISCONNECT, so the broker publishes the last will. */
  private cutOff(): void {
    const { mqtt } = this;
    this.forgetConnection();
    mqtt?.end(true);
  }

  private forgetConnection(): void {
    this.mqtt = undefined;
    this.clearConnectionState();
  }

  private clearConnectionState(): void {
    this.isSubscribed = false;
    this.publishedStatus = "";
    this.sentUpTo = null;
    clearTimeout(this.resendTimer);
  }

  /** Drops the connection and reconnects after a moment, as after a power failure or a failed subscription. */
  private restart(): void {
    this.cutOff();
    clearTimeout(this.restartTimer);
    this.restartTimer = setTimeout(() => {
      this.restartTimer = undefined;
      if (!this.isStopped) this.afterChange();
    }, RESTART_AFTER_MS);
  }

  private async handleCommand(message: unknown): Promise<void> {
    const { lock, random } = this.options;
    const { slow, dead, loseCommands, loseAcks, doubleAcks, reboots } = lock.faults;
    if (slow > 0) await pause(slow);
    // During the delay the lock may have been switched off or lost its power.
    if (dead || lock.flat || this.isStopped || random() < loseCommands) return;
    const parsed = commandMessage.safeParse(message);
    const id = ackMessage.shape.id.safeParse(Object(message).id);
    if (!id.success) return;
    if (parsed.success && random() < reboots) {
      this.restart();
      return lock.interrupted(parsed.data, random() < 0.5);
    }
    const ack = parsed.success ? lock.do(parsed.data) : { id: id.data, ok: false, error: "unsupported" };
    if (random() < loseAcks) return;
    const count = random() < doubleAcks ? 2 : 1;
    for (let time = 0; time < count; time += 1) this.publish("ack", ack);
  }

  private handleEventAck(message: unknown): void {
    const parsed = eventAck.safeParse(message);
    const { lock } = this.options;
    if (!parsed.success || lock.faults.dead) return;
    const { seq, log = lock.memory.log } = parsed.data;
    // The acknowledgement belongs to a memory that the lock has lost since.
    if (log !== lock.memory.log) return;
    clearTimeout(this.resendTimer);
    this.sentUpTo = null;
    lock.acknowledged(seq);
  }

  /** Sends one batch at a time, starting with the oldest unacknowledged event. */
  private sendEvents(): void {
    const { lock, resendMs } = this.options;
    const { log, events } = lock.memory;
    const batch = events.slice(0, MAX_BATCH);
    const last = batch.at(-1);
    if (!last || !this.isSubscribed || this.sentUpTo !== null || lock.faults.dead) return;
    this.sentUpTo = last.seq;
    lock.memory.sent = Math.max(lock.memory.sent, last.seq);
    this.publish("event", { log, events: batch });
    this.resendTimer = setTimeout(() => {
      this.sentUpTo = null;
      this.sendEvents();
    }, resendMs);
  }

  /** Publishes the lock's status if it has changed, or always if `force` is true. */
  private publishStatus(force: boolean): void {
    const { status, faults } = this.options.lock;
    const state = JSON.stringify({ ...status, at: faults.driftSeconds });
    if (!this.isSubscribed || faults.dead || (state === this.publishedStatus && !force)) return;
    this.publishedStatus = state;
    this.publish("status", status, true);
  }

  private publish(part: "ack" | "event" | "status", message: object, retain = false): void {
    // Lost messages are repeated: an acknowledgement when the command comes again, events when no acknowledgement
    // comes.
    const { mqtt } = this;
    if (!mqtt?.connected) return;
    mqtt.publish(`${this.topic}/${part}`, JSON.stringify(message), { qos: AT_LEAST_ONCE, retain });
  }
}

function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
}
