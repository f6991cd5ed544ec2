import { randomBytes, timingSafeEqual } from "node:crypto";
import { lockUser } from "@innkey/shared/locks/protocol";
import type { BrokerRules, BrokerSession } from "../../infra/broker.ts";
import type { RetainedLimits } from "../../infra/retained-topics.ts";
import type { DeviceAccess, DeviceUser } from "../../modules/locks/reports.ts";

/** Who is connected to our own broker: the server itself, a lock, or what stands between the console and locks. */
export interface DeviceSession extends BrokerSession {
  user: { kind: "server" } | DeviceUser;
}

const LOCK_PACKET_BYTES = 256 * 1024;
/** What zigbee2mqtt tells about all its devices is one message. */
const LINK_PACKET_BYTES = 8 * 1024 * 1024;

/** zigbee2mqtt and Home Assistant have one each; some are half gone when they come back. */
const LINK_CONNECTIONS = 10;

const MIB = 1024 * 1024;
/** A lock retains its status. */
const LOCK_RETAINED: RetainedLimits = { topics: 3, bytes: 64 * 1024 };
/** zigbee2mqtt retains some two messages for each device, and the list of all, which is a few kilobytes for each. */
const LINK_RETAINED: RetainedLimits = { topics: 2_000, bytes: 8 * MIB };
/** Two messages for each lock that Home Assistant shows. */
const SERVER_RETAINED: RetainedLimits = { topics: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

const SPEAKS = new Set(["ack", "event", "status"]);
const HEARS = new Set(["command", "event/ack"]);

/** What follows `prefix` and a slash in `topic`, or null. */
const below = (topic: string, prefix: string): string | null =>
  topic.startsWith(`${prefix}/`) ? topic.slice(prefix.length + 1) : null;

const MAC_DIGITS = /^[0-9A-F]{12}$/;

/** `…/<mac>/<part>` of a hotel's locks; null for a wildcard or anything else. */
function lockPart(topic: string, hotelId: number): string | null {
  const rest = below(topic, `lockd/${hotelId}`);
  const [mac = "", ...part] = rest?.split("/") ?? [];
  return MAC_DIGITS.test(mac) ? part.join("/") : null;
}

/** A lock speaks and hears on its own topics, named in full; a link below its own base. */
export function mayPublish({ user }: DeviceSession, topic: string): boolean {
  if (user.kind === "server") return true;
  if (user.kind === "lock")
    return SPEAKS.has(below(topic, `lockd/${user.hotelId}/${user.mac.replaceAll(":", "")}`) ?? "");
  if (user.link === "zigbee2mqtt") return below(topic, user.base) !== null;
  return topic === `${user.base}/status` || lockPart(topic, user.hotelId) === "ha/set";
}

/** As `mayPublish`; wildcards are good only where everything they match is. */
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

/** The server's own account at the broker, which no one else can know. */
export interface ServerLogin {
  user: string;
  password: string;
}

export const newServerLogin = (): ServerLogin => ({ user: "innkey", password: randomBytes(32).toString("base64url") });

/** A lock has one connection: a second one takes the place of the first. */
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
        // As we write it: the same user in other letters is the same lock.
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
