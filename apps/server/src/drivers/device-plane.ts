import { join } from "node:path";
import { z } from "zod";
import type { Relay } from "../adapters/events/relay.ts";
import { type Broker, startBroker } from "../adapters/mqtt/broker.ts";
import type { BrokerCertificate } from "../adapters/mqtt/broker-certificate.ts";
import { connectMqtt, type MqttLink, type MqttMessage } from "../adapters/mqtt/mqtt.ts";
import type { Logger } from "../adapters/telemetry/logger.ts";
import { accessNotice } from "../domain/access/lock-links/device-access.ts";
import type { DeviceLinks } from "../domain/access/lock-links/device-links.ts";
import type { DeviceAccess, DeviceAccounts, LockDriver, LockReports } from "../domain/access/lock-links/driver.ts";
import { LinkedEvents } from "../domain/access/lock-links/linked-events.ts";
import { keepZigbeePeriods, ZigbeeLocks, zigbeeNameNotice } from "../domain/access/lock-links/zigbee-locks.ts";

import { listHotelLocks } from "../domain/access/locks/locks.queries.ts";
import { open as openDoor } from "../domain/access/locks/locks.service.ts";

import type { SystemScopes } from "../kernel/scope.ts";
import { HomeAssistant } from "./home-assistant.ts";
import { BadMessages } from "./mqtt/bad-messages.ts";
import { BrokerAccounts, brokerRules, type DeviceSession, newServerLogin } from "./mqtt/broker-accounts.ts";
import { brokerAddress, type EncryptedBroker, sendBrokerAddress, type Tellers } from "./mqtt/broker-address.ts";

import { KeyedQueue } from "./mqtt/keyed-queue.ts";
import { type FaceImages, lockMessages, mqttDriver } from "./mqtt/mqtt-driver.ts";

import { Subscriptions } from "./mqtt/subscriptions.ts";
import { TtlockCloud } from "./ttlock/ttlock-cloud.ts";
import { ttlockDriver } from "./ttlock/ttlock-driver.ts";
import { zigbeeDriver } from "./zigbee2mqtt/zigbee-driver.ts";
import { zigbeeMessages } from "./zigbee2mqtt/zigbee-messages.ts";
import { ZigbeeDevices } from "./zigbee2mqtt/zigbee-words.ts";

export interface DevicePlaneDeps {
  /** URL of the operator's own broker; undefined if we run the embedded broker. */
  mqttUrl: string | undefined;
  broker: { host: string; port: number; mostClients: number; tls?: BrokerTls | null };
  /** Whether the operator's broker is a Mosquitto whose users we manage. */
  dynamicSecurity: boolean;
  /** Address that locks connect to, if it differs from the address we listen on. */
  publicUrl: string | undefined;
  locks: Tellers["locks"] & { use(driver: LockDriver): void; nobodyIsConnected(): Promise<void> };
  reports: LockReports;
  access: DeviceAccess & DeviceAccounts;
  links: DeviceLinks;
  scopes: SystemScopes;
  faceImages: FaceImages;
  relay: Pick<Relay, "subscribe">;
  now: () => Date;
  log: Logger;
}

/** TLS listener beside the plain port. The installation's own authority signs its certificate. */
export interface BrokerTls {
  port: number;
  /** Folder that stores the authority and the certificate. */
  directory: string;
}

export interface DevicePlane {
  /** URL of the broker. */
  url: string;
  /** Number of messages dropped because they were invalid or arrived faster than we could store them. */
  readonly dropped: number;
  /** Returns which broker is used and whether we are connected to it. */
  state(): { kind: "embedded" | "external"; connected: boolean; encrypted: EncryptedBroker | null };
  close(): Promise<void>;
}

const MAX_IN_WORK = 1_000;
const PERIODS_EVERY_MS = 20_000;
/** Delay that combines a burst of board changes into one refresh of Home Assistant. */
const REFRESH_AFTER_MS = 1_000;
const END_AFTER_MS = 500;
const CERTIFICATE_EVERY_MS = 3_600_000;
const boardNotice = z.object({ topic: z.literal("board") });

/**
 * Starts everything that communicates with locks: the broker, our connection to it, and one driver per way to reach a
 * lock.
 */
export async function startDevices(deps: DevicePlaneDeps): Promise<DevicePlane> {
  const { links, locks, log, scopes, now } = deps;
  if (deps.mqttUrl === undefined) await locks.nobodyIsConnected();
  const { broker, link, authority } = await connect(deps);
  const tls = broker?.tlsPort && authority ? { port: broker.tlsPort, authority } : null;
  const location = broker ? { ...deps, broker: { host: deps.broker.host, port: broker.port }, tls } : deps;
  await sendBrokerAddress(deps, location);

  const keyedQueue = new KeyedQueue(log);
  const bad = new BadMessages(log);
  const home = new HomeAssistant({
    link,
    links,
    log,
    async open(hotelId, roomId) {
      const scope = await scopes(hotelId);
      if (scope) await openDoor(scope, { roomId });
    },
    async locksOf(hotelId) {
      const scope = await scopes(hotelId);
      return scope ? listHotelLocks(scope) : [];
    },
  });
  const reports: LockReports = {
    acknowledge: (name, ack) => deps.reports.acknowledge(name, ack),
    status: (name, status, retained) => deps.reports.status(name, status, retained),
    listening: (name) => deps.reports.listening(name),
    async events(name, events, log) {
      const seq = await deps.reports.events(name, events, log);
      if ("mac" in name && events.some(({ success }) => success)) home.opened(name.hotelId, name.mac);
      return seq;
    },
  };
  const zigbee = new ZigbeeLocks(scopes);
  locks.use(mqttDriver(link, deps.faceImages));
  const devices = new ZigbeeDevices();
  locks.use(zigbeeDriver({ link, links, locks: zigbee, devices, now }));
  locks.use(ttlockDriver(new TtlockCloud(links, now), links));

  const linked = new LinkedEvents(scopes, reports);
  const accounts = deps.dynamicSecurity ? new BrokerAccounts({ link, accounts: deps.access, log }) : null;
  const handlers = [
    lockMessages({ link, reports, keyedQueue, bad }),
    zigbeeMessages({ links, reports, events: linked, locks: zigbee, devices, keyedQueue, bad, now }),
    (message: MqttMessage) => home.take(message),
    (message: MqttMessage) => accounts?.take(message) ?? null,
  ];
  link.onMessage = async (message) => {
    for (const take of handlers) {
      const handled = take(message);
      if (handled) return handled;
    }
  };
  const subscriptions = new Subscriptions(link, links, broker === null);
  const onLinks = (): void => {
    subscriptions.follow();
    const endStaleSessions = (): void => {
      broker?.end(({ user }) => user.kind === "link" && baseNow(links, user) !== user.base);
      accounts?.keep();
    };
    // We end the connections later, so that a disabled link still receives the messages that withdraw its locks.
    void home.refresh().then(() => setTimeout(endStaleSessions, END_AFTER_MS).unref());
  };
  links.onChange(onLinks);
  link.onConnect = () => {
    void home.refresh(true);
    accounts?.keep();
  };
  onLinks();

  let refreshing: NodeJS.Timeout | undefined;
  const unsubscribe = deps.relay.subscribe({
    onMessage(message) {
      const ended = accessNotice.safeParse(message).data;
      if (ended) {
        broker?.end(
          ({ user }) =>
            user.kind === "lock" &&
            user.hotelId === ended.hotelId &&
            user.mac === ended.mac &&
            (ended.login === null || user.login !== ended.login),
        );
        accounts?.keep();
      }
      const notice = zigbeeNameNotice.safeParse(message).data;
      const base = notice && links.of(notice.hotelId, "zigbee2mqtt")?.baseTopic;
      if (base !== undefined && base !== null) link.hearKept([`${base}/${notice?.address}/availability`]);
      if (links.all("home_assistant").length === 0 || !boardNotice.safeParse(message).success) return;
      refreshing ??= setTimeout(() => {
        refreshing = undefined;
        void home.refresh();
      }, REFRESH_AFTER_MS).unref();
    },
    onGap() {
      void home.refresh();
      accounts?.keep();
    },
  });
  const renewing = setInterval(() => void showCertificate(deps, broker), CERTIFICATE_EVERY_MS).unref();
  const periods = setInterval(() => void keepPeriods(links, scopes, log), PERIODS_EVERY_MS).unref();

  return {
    url: brokerAddress(location),
    get dropped() {
      return keyedQueue.dropped + bad.count;
    },
    state: () => ({
      kind: broker ? "embedded" : "external",
      connected: link.connected,
      encrypted: locks.encryptedBroker,
    }),
    async close() {
      clearInterval(periods);
      clearInterval(renewing);
      clearTimeout(refreshing);
      unsubscribe();
      home.close();
      accounts?.close();
      keyedQueue.close();
      await link.close();
      await broker?.close();
    },
  };
}

interface Connected {
  broker: Broker<DeviceSession> | null;
  link: MqttLink;
  /** Certificate of the authority that signed the broker's certificate, PEM. */
  authority?: string;
}

/** Returns the broker's certificate, or null if TLS is off or the certificate can't be made. @throws never */
async function certificateFor({ broker, publicUrl, log }: DevicePlaneDeps): Promise<BrokerCertificate | null> {
  if (!broker.tls) return null;
  const { directory } = broker.tls;
  try {
    // We import this lazily because it is large and few processes make certificates.
    const { keepBrokerCertificate, namesOfThisMachine } = await import("../adapters/mqtt/broker-certificate.ts");
    const folders = { authority: join(directory, "broker-ca"), certificate: join(directory, "broker-tls") };
    return await keepBrokerCertificate(folders, namesOfThisMachine({ publicUrl, address: broker.host }));
  } catch (error) {
    log.warn({ err: error }, "locks can't connect encrypted: the broker's certificate could not be made");
    return null;
  }
}

/** Renews the certificate in case it expires soon or the machine's address changed. */
async function showCertificate(deps: DevicePlaneDeps, broker: Broker<DeviceSession> | null): Promise<void> {
  if (!broker?.tlsPort) return;
  const certificate = await certificateFor(deps);
  if (certificate) broker.showCertificate(certificate);
}

async function connect(deps: DevicePlaneDeps): Promise<Connected> {
  const { mqttUrl, access, reports, log } = deps;
  const { tls: tlsSettings, ...brokerSettings } = deps.broker;
  if (mqttUrl !== undefined) {
    const link = await connectMqtt({ url: mqttUrl, mostInWork: MAX_IN_WORK, log });
    return { broker: null, link };
  }
  const login = newServerLogin();
  const rules = brokerRules(login, access);
  const onSubscribe = ({ user }: DeviceSession, topic: string): void => {
    if (user.kind !== "lock" || !topic.endsWith("/command")) return;
    reports.listening(user).catch((error: unknown) => log.warn({ err: error }, "a lock waits for what it missed"));
  };
  const certificate = await certificateFor(deps);
  const tls = tlsSettings &&
    certificate && { tls: { ...certificate, port: tlsSettings.port, portSetting: "MQTT_TLS_PORT" } };
  const broker = await startBroker<DeviceSession>({
    ...{ ...brokerSettings, portSetting: "MQTT_PORT" },
    ...tls,
    ...{ rules, onSubscribe, log },
  });
  const nearby = ["0.0.0.0", "::", "localhost"].includes(brokerSettings.host) ? "127.0.0.1" : brokerSettings.host;
  const near = nearby.includes(":") ? `[${nearby}]` : nearby;
  const link = await connectMqtt({ url: `mqtt://${near}:${broker.port}`, ...login, mostInWork: MAX_IN_WORK, log });
  return { broker, link, ...(certificate && { authority: certificate.authority }) };
}

function baseNow(links: DeviceLinks, user: Extract<DeviceSession["user"], { kind: "link" }>): string | null {
  if (user.link === "zigbee2mqtt") return links.of(user.hotelId, "zigbee2mqtt")?.baseTopic ?? null;
  return links.of(user.hotelId, "home_assistant")?.prefix ?? null;
}

async function keepPeriods(links: DeviceLinks, scopes: SystemScopes, log: Logger): Promise<void> {
  try {
    for (const { hotelId } of links.all("zigbee2mqtt")) await keepZigbeePeriods(scopes, hotelId);
  } catch (error) {
    log.warn({ err: error }, "the periods of codes on Zigbee locks wait for the next look");
  }
}
