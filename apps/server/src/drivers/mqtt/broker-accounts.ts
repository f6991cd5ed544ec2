import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { lockTopics, lockUser } from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { BrokerRules, BrokerSession } from "../../adapters/mqtt/broker.ts";
import type { RetainedLimits } from "../../adapters/mqtt/broker-limits.ts";
import type { MqttLink, MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { DeviceAccess, DeviceAccount, DeviceAccounts, DeviceUser } from "../../domain/access/lock-links/driver.ts";
import { jsonOf } from "./bad-messages.ts";

/**
 * Commands of Mosquitto's dynamic security plugin that we use. Source: README.md of plugins/dynamic-security in
 * Eclipse Mosquitto.
 */
const CONTROL = "$CONTROL/dynamic-security/v1";
const CONTROL_ANSWER = `${CONTROL}/response`;

interface Acl {
  acltype: "publishClientSend" | "subscribeLiteral" | "subscribePattern";
  topic: string;
  allow: true;
}

type ControlCommand = { command: string } & Record<string, unknown>;

const controlAnswer = z.object({
  responses: z.array(
    z.object({
      command: z.string().default(""),
      error: z.string().optional(),
      correlationData: z.string().optional(),
      data: z.unknown().optional(),
    }),
  ),
});

/** Data of the `listClients` answer. We store a hash of the account in `textname` (see `markOf`). */
const clientList = z.object({
  clients: z.array(z.object({ username: z.string(), textname: z.string().default("") })),
});

/** Returns the plugin's access rules for a user, equal to the rules of the embedded broker (`broker-rights.ts`). */
function aclsOf(who: DeviceUser): Acl[] {
  const speaks = (topic: string): Acl => ({ acltype: "publishClientSend", topic, allow: true });
  const hears = (topic: string): Acl => ({ acltype: "subscribeLiteral", topic, allow: true });
  const hearsBelow = (topic: string): Acl => ({ acltype: "subscribePattern", topic, allow: true });
  if (who.kind === "lock") {
    const root = lockTopics.root(who.hotelId, who.mac);
    return [
      ...["ack", "event", "status"].map((part) => speaks(`${root}/${part}`)),
      ...["command", "event/ack"].map((part) => hears(`${root}/${part}`)),
    ];
  }
  if (who.link === "zigbee2mqtt") return [speaks(`${who.base}/#`), hearsBelow(`${who.base}/#`)];
  return [
    ...[`${who.base}/status`, `lockd/${who.hotelId}/+/ha/set`].map(speaks),
    ...[`${who.base}/#`, `lockd/${who.hotelId}/+/status`, `lockd/${who.hotelId}/+/ha/state`].map(hearsBelow),
  ];
}

/** Returns a hash of an account's password and rights, to detect changes. */
const markOf = ({ password, who }: DeviceAccount): string =>
  createHash("sha256")
    .update(JSON.stringify([password, aclsOf(who)]))
    .digest("base64url");

/** Checks whether a user name has the form of our accounts, as opposed to users that the operator created. */
const isOurs = (user: string): boolean => /^(\d{1,9}\/[0-9A-F]{12}|(zigbee2mqtt|home-assistant)-\d{1,9})$/.test(user);

/** Commands that delete a user. The broker also ends the user's connections. */
const removal = (user: string): ControlCommand[] => [
  { command: "deleteClient", username: user },
  { command: "deleteRole", rolename: user },
];

const creation = (account: DeviceAccount): ControlCommand[] => [
  { command: "createRole", rolename: account.user, acls: aclsOf(account.who) },
  {
    command: "createClient",
    username: account.user,
    password: account.password,
    textname: markOf(account),
    roles: [{ rolename: account.user }],
  },
];

type Answers = ReturnType<typeof controlAnswer.parse>["responses"];

interface BrokerAccountsDeps {
  link: Pick<MqttLink, "subscribe" | "publish" | "connected">;
  accounts: DeviceAccounts;
  log: Logger;
}

const ANSWER_MS = 15_000;
const AGAIN_MS = 5_000;
/**
 * We also compare without a notice: another process may have been interrupted, or someone may have edited the broker
 * by hand.
 */
const EVERY_MS = 600_000;
/** Accounts per message; the broker rewrites its file after each message. */
const AT_ONCE = 50;

/**
 * Keeps the accounts of locks and links in a Mosquitto broker with dynamic security equal to ours. Each run compares
 * both sides and sends only the differences, so several servers may call it at any time, also after the broker lost
 * its data.
 */
export class BrokerAccounts {
  readonly #needs: BrokerAccountsDeps;
  readonly #asked = new Map<string, (answers: Answers) => void>();
  readonly #every: NodeJS.Timeout;
  #again: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #wanted = false;
  #closed = false;

  constructor(deps: BrokerAccountsDeps) {
    this.#needs = deps;
    deps.link.subscribe([CONTROL_ANSWER]);
    this.#every = setInterval(() => this.keep(), EVERY_MS).unref();
  }

  /** Starts a synchronisation. Calls during a run cause one further run. */
  keep(): void {
    this.#wanted = true;
    if (this.#closed || !this.#needs.link.connected) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  /** Handles an answer of the plugin. Returns null for any other topic. */
  take({ topic, payload }: MqttMessage): Promise<void> | null {
    if (topic !== CONTROL_ANSWER) return null;
    const { data } = controlAnswer.safeParse(jsonOf(payload));
    const id = data?.responses.find(({ correlationData }) => correlationData !== undefined)?.correlationData;
    if (data && id !== undefined) this.#asked.get(id)?.(data.responses);
    return Promise.resolve();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#every);
    clearTimeout(this.#again);
  }

  async #work(): Promise<void> {
    clearTimeout(this.#again);
    try {
      while (this.#wanted && !this.#closed) {
        this.#wanted = false;
        await this.#settle();
      }
    } catch (error) {
      if (this.#closed) return;
      this.#needs.log.warn({ err: error }, "the accounts of locks at the broker could not be kept; trying again");
      this.#again = setTimeout(() => this.keep(), AGAIN_MS).unref();
    }
  }

  async #settle(): Promise<void> {
    const accounts = await this.#needs.accounts.accounts();
    const [answer] = await this.#ask([{ command: "listClients", verbose: true, count: -1, offset: 0 }]);
    const { clients } = clientList.parse(answer?.data);
    const there = new Map(clients.map(({ username, textname }) => [username, textname]));
    const expected = new Set(accounts.map(({ user }) => user));
    const obsolete = [...there.keys()].filter((user) => isOurs(user) && !expected.has(user));
    const missing = accounts.filter((account) => there.get(account.user) !== markOf(account));
    const changes = [...obsolete.map(removal), ...missing.map((one) => [...removal(one.user), ...creation(one)])];
    for (let at = 0; at < changes.length; at += AT_ONCE) {
      const answers = await this.#ask(changes.slice(at, at + AT_ONCE).flat());
      // We delete an account before we recreate it, and it may not have existed, so errors of deletions are ignored.
      const failed = answers.find(({ command, error }) => error !== undefined && !command.startsWith("delete"));
      if (failed) throw new Error(`${failed.command}: ${failed.error}`);
    }
  }

  async #ask(commands: ControlCommand[]): Promise<Answers> {
    const id = randomUUID();
    const message = JSON.stringify({ commands: commands.map((command) => ({ ...command, correlationData: id })) });
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Answers>((resolve, reject) => {
        this.#asked.set(id, resolve);
        const late = (): void => reject(new Error("the broker's dynamic security plugin does not answer"));
        timer = setTimeout(late, ANSWER_MS).unref();
        this.#needs.link.publish(CONTROL, message).catch(reject);
      });
    } finally {
      clearTimeout(timer);
      this.#asked.delete(id);
    }
  }
}

/** A connection to our own broker: the server itself, a lock, or a link between the console and locks. */
export interface DeviceSession extends BrokerSession {
  user: { kind: "server" } | DeviceUser;
}

const LOCK_PACKET_BYTES = 256 * 1024;
/** zigbee2mqtt publishes the list of all its devices in one message. */
const LINK_PACKET_BYTES = 8 * 1024 * 1024;

/**
 * zigbee2mqtt and Home Assistant need one connection each. The limit is higher because old connections may linger when
 * they reconnect.
 */
const LINK_CONNECTIONS = 10;

const MIB = 1024 * 1024;
/** A lock retains only its status. */
const LOCK_RETAINED: RetainedLimits = { topics: 3, bytes: 64 * 1024 };
/** zigbee2mqtt retains about two messages per device and the device list, which takes a few kilobytes per device. */
const LINK_RETAINED: RetainedLimits = { topics: 2_000, bytes: 8 * MIB };
/** Unlimited, because we retain two messages for each lock that Home Assistant shows. */
const SERVER_RETAINED: RetainedLimits = { topics: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

const SPEAKS = new Set(["ack", "event", "status"]);
const HEARS = new Set(["command", "event/ack"]);

/** Returns the part of `topic` after `prefix` and a slash, or null. */
const below = (topic: string, prefix: string): string | null =>
  topic.startsWith(`${prefix}/`) ? topic.slice(prefix.length + 1) : null;

const MAC_DIGITS = /^[0-9A-F]{12}$/;

/** Returns `<part>` of a topic `lockd/<hotel>/<mac>/<part>`; null for wildcards and other topics. */
function lockPart(topic: string, hotelId: number): string | null {
  const rest = below(topic, `lockd/${hotelId}`);
  const [mac = "", ...part] = rest?.split("/") ?? [];
  return MAC_DIGITS.test(mac) ? part.join("/") : null;
}

/**
 * Checks whether a client may publish. A lock may use only its own topics, named in full; a link only topics under its
 * base.
 */
export function mayPublish({ user }: DeviceSession, topic: string): boolean {
  if (user.kind === "server") return true;
  if (user.kind === "lock")
    return SPEAKS.has(below(topic, `lockd/${user.hotelId}/${user.mac.replaceAll(":", "")}`) ?? "");
  if (user.link === "zigbee2mqtt") return below(topic, user.base) !== null;
  return topic === `${user.base}/status` || lockPart(topic, user.hotelId) === "ha/set";
}

/**
 * Checks whether a client may subscribe. A wildcard is allowed only if the client may read every topic that it
 * matches.
 */
export function maySubscribe({ user }: DeviceSession, topic: string): boolean {
  if (user.kind === "server") return true;
  if (user.kind === "lock")
    return HEARS.has(below(topic, `lockd/${user.hotelId}/${user.mac.replaceAll(":", "")}`) ?? "");
  if (below(topic, user.base) !== null) return true;
  if (user.link === "zigbee2mqtt") return false;
  const rest = below(topic, `lockd/${user.hotelId}`);
  const [mac = "", ...part] = rest?.split("/") ?? [];
  return (mac === "+" || MAC_DIGITS.test(mac)) && ["status", "ha/state"].includes(part.join("/"));
}

/** The server's own account at the broker, with a random password that never leaves the process. */
interface ServerLogin {
  user: string;
  password: string;
}

export const newServerLogin = (): ServerLogin => ({ user: "innkey", password: randomBytes(32).toString("base64url") });

/** Returns the login and access rules of the embedded broker. A lock has one connection: a new one replaces the old. */
export function brokerRules(server: ServerLogin, access: DeviceAccess): BrokerRules<DeviceSession> {
  return {
    mayPublish,
    maySubscribe,
    async authenticate(user, password, clientId) {
      if (user === server.user) {
        const right = same(password, server.password);
        if (!right) return null;
        const limits = { mostConnections: 1, mostPacketBytes: LINK_PACKET_BYTES, mostRetained: SERVER_RETAINED };
        return { user: { kind: "server" }, account: server.user, clientId: server.user, ...limits };
      }
      const brokerAccount = await access.authenticate(user, password);
      if (brokerAccount?.kind === "lock") {
        // We build the account name from the parsed MAC, so that different spellings of a user name are the same lock.
        const account = lockUser(brokerAccount.hotelId, brokerAccount.mac);
        const limits = { mostConnections: 1, mostPacketBytes: LOCK_PACKET_BYTES, mostRetained: LOCK_RETAINED };
        return { user: brokerAccount, account, clientId: account, ...limits };
      }
      const limits = {
        ...{ mostConnections: LINK_CONNECTIONS, mostPacketBytes: LINK_PACKET_BYTES },
        mostRetained: LINK_RETAINED,
      };
      return brokerAccount && { user: brokerAccount, account: user, clientId: `${user}/${clientId}`, ...limits };
    },
  };
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
