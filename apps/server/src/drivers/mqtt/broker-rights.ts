import { randomBytes, timingSafeEqual } from "node:crypto";
import { lockUser } from "@innkey/shared/locks/protocol";
import type { BrokerRules, BrokerSession } from "../../adapters/mqtt/broker.ts";
import type { RetainedLimits } from "../../adapters/mqtt/retained-topics.ts";
import type { DeviceAccess, DeviceUser } from "../../domain/access/locks/reports.ts";

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
export interface ServerLogin {
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
