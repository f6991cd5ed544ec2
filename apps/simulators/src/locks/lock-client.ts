import { ackMessage, commandMessage, eventAck, lockTopics, type StatusMessage } from "@innkey/shared/locks/protocol";
import { connect, type MqttClient } from "mqtt";
import { pause } from "../service.ts";
import { BadNetwork } from "./bad-network.ts";
import type { VirtualLock } from "./virtual-lock.ts";

/** What an installer types into a lock. */
export interface LockAccess {
  /** the broker, e.g. mqtt://192.168.1.5:1883 */
  url: string;
  user: string;
  password: string;
  /** 32 hex digits: what its keys are sealed with */
  pairingSecret: string;
  hotelId: number;
  mac: string;
  /** whom it trusts that the broker is the right one, as PEM; without it, the world's authorities */
  ca?: string;
}

export interface LockClientOptions {
  access: LockAccess;
  lock: VirtualLock;
  /** called after each change of the lock's memory, before anything leaves the lock */
  keep?: () => void;
  /** the broker knows the lock or its password no more */
  refused?: () => void;
  /** how long it waits for events to be acknowledged before it sends them again */
  resendMs?: number;
  /** how often it says that it is alive */
  statusMs?: number;
  random?: () => number;
}

const KEEPALIVE_SECONDS = 30;
const BATCH = 100;
/** A broker that does not answer does not hold up the end. */
const GOODBYE_MS = 1000;
const RESTART_MS = 1_000;
const AT_LEAST_ONCE = 1;
/** Answers to a connection that waiting does not mend (MQTT 3.1.1, table 3.1). */
const REFUSALS: readonly unknown[] = [4, 5];

/** A lock's radio: one connection to the broker, speaking packages/shared/src/locks/protocol.ts. */
export class LockClient {
  private readonly options: Required<LockClientOptions>;
  private readonly topic: string;
  private mqtt: MqttClient | undefined;
  private ready = false;
  private work: Promise<void> = Promise.resolve();
  private said = "";
  /** the number of the last event that is on its way */
  private underWay: number | null = null;
  private resend: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private readonly network: BadNetwork;
  private restarting: NodeJS.Timeout | undefined;
  private stopped = false;
  /** what the broker or the network last said against a connection; "" since it last got through */
  private lastRefusal = "";

  constructor(options: LockClientOptions) {
    this.options = {
      keep: () => {},
      refused: () => {},
      resendMs: 5_000,
      statusMs: 300_000,
      random: Math.random,
      ...options,
    };
    this.network = new BadNetwork((message) => {
      this.work = this.work.then(() => this.takeCommand(message));
    }, this.options.random);
    const { hotelId, mac } = options.access;
    this.topic = lockTopics.root(hotelId, mac);
  }

  /** Connected, and heard by the broker. */
  get online(): boolean {
    return this.ready;
  }

  /** How its connection is, for whoever wonders why it is not online. */
  get connection(): string {
    if (this.ready) return "ready";
    if (this.restarting) return "restarting";
    if (!this.mqtt) return this.lastRefusal ? `refused (${this.lastRefusal})` : "cut off";
    return this.mqtt.connected ? "connected" : `connecting${this.lastRefusal && ` (last: ${this.lastRefusal})`}`;
  }

  start(): void {
    const { lock, statusMs } = this.options;
    lock.pair(this.options.access.pairingSecret);
    lock.changed = () => this.afterChange();
    this.heartbeat = setInterval(() => this.sayStatus(true), statusMs);
    this.afterChange();
  }

  /** Says goodbye, unless it is cut off. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.restarting);
    this.network.stop();
    this.options.lock.changed = this.options.keep;
    const { mqtt, ready } = this;
    this.forgetConnection();
    if (!mqtt) return;
    if (ready) {
      const goodbye = JSON.stringify({ state: "offline" } satisfies StatusMessage);
      const farewell = mqtt.publishAsync(`${this.topic}/status`, goodbye, { qos: AT_LEAST_ONCE, retain: true });
      await Promise.race([farewell.then(() => mqtt.endAsync()).catch(() => {}), pause(GOODBYE_MS)]);
    }
    await mqtt.endAsync(true);
  }

  private afterChange(): void {
    const { lock, keep } = this.options;
    keep();
    if (lock.faults.offline || lock.flat) this.cutOff();
    else if (!this.mqtt && !this.restarting) this.connect();
    this.sayStatus(false);
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
      resubscribe: false,
      will: { topic: `${this.topic}/status`, payload: Buffer.from("offline"), qos: AT_LEAST_ONCE, retain: true },
    });
    this.mqtt = mqtt;
    mqtt.on("message", (topic, payload) => {
      if (topic.endsWith("/event/ack")) this.takeEventAck(jsonOf(payload));
      else this.network.deliver(jsonOf(payload), lock.faults);
    });
    mqtt.on("connect", () => void this.greet(mqtt));
    mqtt.on("close", () => {
      if (mqtt === this.mqtt) this.quiet();
    });
    mqtt.on("error", (error) => {
      this.lastRefusal = error.message;
      if (mqtt !== this.mqtt || !REFUSALS.includes("code" in error ? error.code : undefined)) return;
      this.forgetConnection();
      mqtt.end(true);
      this.options.refused();
    });
  }

  private async greet(mqtt: MqttClient): Promise<void> {
    const topics = [`${this.topic}/command`, `${this.topic}/event/ack`];
    try {
      await mqtt.subscribeAsync(topics, { qos: AT_LEAST_ONCE });
    } catch (error) {
      // If the connection went away meanwhile, the next one subscribes. A connection without its topics is no use.
      if (mqtt !== this.mqtt || !mqtt.connected) return;
      this.lastRefusal = error instanceof Error ? error.message : String(error);
      this.restart();
      return;
    }
    if (mqtt !== this.mqtt) return;
    this.ready = true;
    this.lastRefusal = "";
    this.sayStatus(true);
    this.sendEvents();
  }

  /** Out of the network without a word: the broker speaks the last will. */
  private cutOff(): void {
    const { mqtt } = this;
    this.forgetConnection();
    mqtt?.end(true);
  }

  private forgetConnection(): void {
    this.mqtt = undefined;
    this.quiet();
  }

  private quiet(): void {
    this.ready = false;
    this.said = "";
    this.underWay = null;
    clearTimeout(this.resend);
  }

  /** Its power failed, or its connection is no use: it is out of the network for a moment, without a word. */
  private restart(): void {
    this.cutOff();
    clearTimeout(this.restarting);
    this.restarting = setTimeout(() => {
      this.restarting = undefined;
      if (!this.stopped) this.afterChange();
    }, RESTART_MS);
  }

  private async takeCommand(message: unknown): Promise<void> {
    const { lock, random } = this.options;
    const { slow, dead, loseCommands, loseAcks, doubleAcks, reboots } = lock.faults;
    if (slow > 0) await pause(slow);
    // While it was slow it may have been switched off, or have lost its power.
    if (dead || lock.flat || this.stopped || random() < loseCommands) return;
    const parsed = commandMessage.safeParse(message);
    const id = ackMessage.shape.id.safeParse(Object(message).id);
    if (!id.success) return;
    if (parsed.success && random() < reboots) {
      this.restart();
      return lock.interrupted(parsed.data, random() < 0.5);
    }
    const ack = parsed.success ? lock.do(parsed.data) : { id: id.data, ok: false, error: "unsupported" };
    if (random() < loseAcks) return;
    const times = random() < doubleAcks ? 2 : 1;
    for (let time = 0; time < times; time += 1) this.say("ack", ack);
  }

  private takeEventAck(message: unknown): void {
    const parsed = eventAck.safeParse(message);
    const { lock } = this.options;
    if (!parsed.success || lock.faults.dead) return;
    const { seq, log = lock.memory.log } = parsed.data;
    // Said to a memory that was lost since.
    if (log !== lock.memory.log) return;
    clearTimeout(this.resend);
    this.underWay = null;
    lock.acknowledged(seq);
  }

  /** One batch at a time, beginning with the oldest event that was not acknowledged. */
  private sendEvents(): void {
    const { lock, resendMs } = this.options;
    const { log, events } = lock.memory;
    const batch = events.slice(0, BATCH);
    const last = batch.at(-1);
    if (!last || !this.ready || this.underWay !== null || lock.faults.dead) return;
    this.underWay = last.seq;
    lock.memory.sent = Math.max(lock.memory.sent, last.seq);
    this.say("event", { log, events: batch });
    this.resend = setTimeout(() => {
      this.underWay = null;
      this.sendEvents();
    }, resendMs);
  }

  /** Tells its state when that has changed, or when it is time to. */
  private sayStatus(anyhow: boolean): void {
    const { status, faults } = this.options.lock;
    const state = JSON.stringify({ ...status, at: faults.driftSeconds });
    if (!this.ready || faults.dead || (state === this.said && !anyhow)) return;
    this.said = state;
    this.say("status", status, true);
  }

  private say(part: "ack" | "event" | "status", message: object, retain = false): void {
    // What the network swallows is said again: an ack when the command comes again, events when nobody answers.
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
