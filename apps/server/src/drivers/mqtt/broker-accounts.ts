import { createHash, randomBytes, randomUUID } from "node:crypto";
import { lockTopics, lockUser } from "@innkey/shared/locks/protocol";
import { z } from "zod";
import type { BrokerRules, BrokerSession } from "../../adapters/mqtt/broker.ts";
import type { RetainedLimits } from "../../adapters/mqtt/broker-limits.ts";
import type { MqttLink, MqttMessage } from "../../adapters/mqtt/mqtt.ts";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { DeviceAccess, DeviceAccount, DeviceAccounts, DeviceUser } from "../../domain/access/lock-links/driver.ts";
import { sameSecret } from "../../kernel/secret-box.ts";
import { jsonOf } from "./lock-messages.ts";

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

/** Data of the `listClients` answer. We store a hash of the account in `textname` (see `accountHash`). */
const clientList = z.object({
  clients: z.array(z.object({ username: z.string(), textname: z.string().default("") })),
});

/** The parts of its own topics that a lock may publish, and those that it may subscribe to. */
const LOCK_PUBLISH_PARTS: ReadonlySet<string> = new Set(["ack", "event", "status"]);
const LOCK_SUBSCRIBE_PARTS: ReadonlySet<string> = new Set(["command", "event/ack"]);

/** Returns the plugin's access rules for a user, equal to those of the embedded broker (`mayPublish`, `maySubscribe`). */
function aclsOf(identity: DeviceUser): Acl[] {
  const publish = (topic: string): Acl => ({ acltype: "publishClientSend", topic, allow: true });
  const subscribe = (topic: string): Acl => ({ acltype: "subscribeLiteral", topic, allow: true });
  const subscribePattern = (topic: string): Acl => ({ acltype: "subscribePattern", topic, allow: true });
  if (identity.kind === "lock") {
    const root = lockTopics.root(identity.hotelId, identity.mac);
    return [
      ...[...LOCK_PUBLISH_PARTS].map((part) => publish(`${root}/${part}`)),
      ...[...LOCK_SUBSCRIBE_PARTS].map((part) => subscribe(`${root}/${part}`)),
    ];
  }
  if (identity.link === "zigbee2mqtt") return [publish(`${identity.base}/#`), subscribePattern(`${identity.base}/#`)];
  return [
    ...[`${identity.base}/status`, `lockd/${identity.hotelId}/+/ha/set`].map(publish),
    ...[`${identity.base}/#`, `lockd/${identity.hotelId}/+/status`, `lockd/${identity.hotelId}/+/ha/state`].map(
      subscribePattern,
    ),
  ];
}

/** Returns a hash of an account's password and rights, to detect changes. */
const accountHash = ({ password, identity }: DeviceAccount): string =>
  createHash("sha256")
    .update(JSON.stringify([password, aclsOf(identity)]))
    .digest("base64url");

/** Checks whether a user name has the form of our accounts, as opposed to users that the operator created. */
const isOurAccountName = (user: string): boolean =>
  /^(\d{1,9}\/[0-9A-F]{12}|(zigbee2mqtt|home-assistant)-\d{1,9})$/.test(user);

/** Commands that delete a user. The broker also ends the user's connections. */
const removalOf = (user: string): ControlCommand[] => [
  { command: "deleteClient", username: user },
  { command: "deleteRole", rolename: user },
];

const creationOf = (account: DeviceAccount): ControlCommand[] => [
  { command: "createRole", rolename: account.user, acls: aclsOf(account.identity) },
  {
    command: "createClient",
    username: account.user,
    password: account.password,
    textname: accountHash(account),
    roles: [{ rolename: account.user }],
  },
];

type Answers = ReturnType<typeof controlAnswer.parse>["responses"];

interface BrokerAccountsDeps {
  link: Pick<MqttLink, "subscribe" | "publish" | "connected">;
  accounts: DeviceAccounts;
  log: Logger;
}

const ANSWER_TIMEOUT_MS = 15_000;
const RETRY_AFTER_MS = 5_000;
/**
 * Accounts are also compared without a notification, because another process may have been interrupted, or someone may
 * have edited the broker's users.
 */
const COMPARE_EVERY_MS = 600_000;
/** Several accounts share a message, because the broker rewrites its file after each message. */
const MAX_ACCOUNTS_PER_MESSAGE = 50;

/**
 * Synchronises the accounts of locks and links with a Mosquitto broker that has dynamic security. Each run compares both
 * sides and sends only the differences, so several servers may do this at any time, also after the broker lost its data.
 */
export class BrokerAccounts {
  readonly #deps: BrokerAccountsDeps;
  readonly #pendingAnswers = new Map<string, (answers: Answers) => void>();
  readonly #interval: NodeJS.Timeout;
  #retryTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isRequested = false;
  #isClosed = false;

  constructor(deps: BrokerAccountsDeps) {
    this.#deps = deps;
    deps.link.subscribe([CONTROL_ANSWER]);
    this.#interval = setInterval(() => this.synchronise(), COMPARE_EVERY_MS).unref();
  }

  /** Starts a synchronisation. Calls during a run cause one further run. */
  synchronise(): void {
    this.#isRequested = true;
    if (this.#isClosed || !this.#deps.link.connected) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Handles an answer of the plugin. Returns null for any other topic. */
  handle({ topic, payload }: MqttMessage): Promise<void> | null {
    if (topic !== CONTROL_ANSWER) return null;
    const { data } = controlAnswer.safeParse(jsonOf(payload));
    const id = data?.responses.find(({ correlationData }) => correlationData !== undefined)?.correlationData;
    if (data && id !== undefined) this.#pendingAnswers.get(id)?.(data.responses);
    return Promise.resolve();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#interval);
    clearTimeout(this.#retryTimer);
  }

  async #run(): Promise<void> {
    clearTimeout(this.#retryTimer);
    try {
      while (this.#isRequested && !this.#isClosed) {
        this.#isRequested = false;
        await this.#synchronise();
      }
    } catch (error) {
      if (this.#isClosed) return;
      this.#deps.log.warn({ err: error }, "broker accounts could not be synchronised");
      this.#retryTimer = setTimeout(() => this.synchronise(), RETRY_AFTER_MS).unref();
    }
  }

  async #synchronise(): Promise<void> {
    const accounts = await this.#deps.accounts.accounts();
    const [answer] = await this.#sendCommands([{ command: "listClients", verbose: true, count: -1, offset: 0 }]);
    const { clients } = clientList.parse(answer?.data);
    const existing = new Map(clients.map(({ username, textname }) => [username, textname]));
    const expected = new Set(accounts.map(({ user }) => user));
    const obsolete = [...existing.keys()].filter((user) => isOurAccountName(user) && !expected.has(user));
    const missing = accounts.filter((account) => existing.get(account.user) !== accountHash(account));
    const changes = [
      ...obsolete.map(removalOf),
      ...missing.map((account) => [...removalOf(account.user), ...creationOf(account)]),
    ];
    for (let at = 0; at < changes.length; at += MAX_ACCOUNTS_PER_MESSAGE) {
      const answers = await this.#sendCommands(changes.slice(at, at + MAX_ACCOUNTS_PER_MESSAGE).flat());
      // We delete an account before we recreate it, and it may not have existed, so errors of deletions are ignored.
      const failed = answers.find(({ command, error }) => error !== undefined && !command.startsWith("delete"));
      if (failed) throw new Error(`${failed.command}: ${failed.error}`);
    }
  }

  async #sendCommands(commands: ControlCommand[]): Promise<Answers> {
    const id = randomUUID();
    const message = JSON.stringify({ commands: commands.map((command) => ({ ...command, correlationData: id })) });
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Answers>((resolve, reject) => {
        this.#pendingAnswers.set(id, resolve);
        const onTimeout = (): void => reject(new Error("the broker's dynamic security plugin does not answer"));
        timer = setTimeout(onTimeout, ANSWER_TIMEOUT_MS).unref();
        this.#deps.link.publish(CONTROL, message).catch(reject);
      });
    } finally {
      clearTimeout(timer);
      this.#pendingAnswers.delete(id);
    }
  }
}

/** A connection to our own broker: the server itself, a lock, or a link between the console and locks. */
export interface DeviceSession extends BrokerSession {
  user: { kind: "server" } | DeviceUser;
}

const MAX_LOCK_PACKET_BYTES = 256 * 1024;
/** zigbee2mqtt publishes the list of all its devices in one message. */
const MAX_LINK_PACKET_BYTES = 8 * 1024 * 1024;

/**
 * zigbee2mqtt and Home Assistant need one connection each. The limit is higher because old connections may linger when
 * they reconnect.
 */
const MAX_LINK_CONNECTIONS = 10;

const MIB = 1024 * 1024;
/** A lock retains only its status. */
const LOCK_RETAINED: RetainedLimits = { topics: 3, bytes: 64 * 1024 };
/** zigbee2mqtt retains about two messages per device and the device list, which takes a few kilobytes per device. */
const LINK_RETAINED: RetainedLimits = { topics: 2_000, bytes: 8 * MIB };
/** Unlimited, because we retain two messages for each lock that Home Assistant shows. */
const SERVER_RETAINED: RetainedLimits = { topics: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

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
 * Checks whether a client may publish. A lock may use only its own topics, named in full; zigbee2mqtt only topics under
 * its base; Home Assistant only its own status and the commands that it gives to locks.
 */
export function mayPublish({ user }: DeviceSession, topic: string): boolean {
  if (user.kind === "server") return true;
  if (user.kind === "lock")
    return LOCK_PUBLISH_PARTS.has(below(topic, `lockd/${user.hotelId}/${user.mac.replaceAll(":", "")}`) ?? "");
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
    return LOCK_SUBSCRIBE_PARTS.has(below(topic, `lockd/${user.hotelId}/${user.mac.replaceAll(":", "")}`) ?? "");
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
        const right = sameSecret(password, server.password);
        if (!right) return null;
        const limits = { maxConnections: 1, maxPacketBytes: MAX_LINK_PACKET_BYTES, maxRetained: SERVER_RETAINED };
        return { user: { kind: "server" }, account: server.user, clientId: server.user, ...limits };
      }
      const brokerAccount = await access.authenticate(user, password);
      if (brokerAccount?.kind === "lock") {
        // We build the account name from the parsed MAC, so that different spellings of a user name are the same lock.
        const account = lockUser(brokerAccount.hotelId, brokerAccount.mac);
        const limits = { maxConnections: 1, maxPacketBytes: MAX_LOCK_PACKET_BYTES, maxRetained: LOCK_RETAINED };
        return { user: brokerAccount, account, clientId: account, ...limits };
      }
      const limits = {
        ...{ maxConnections: MAX_LINK_CONNECTIONS, maxPacketBytes: MAX_LINK_PACKET_BYTES },
        maxRetained: LINK_RETAINED,
      };
      return brokerAccount && { user: brokerAccount, account: user, clientId: `${user}/${clientId}`, ...limits };
    },
  };
}
