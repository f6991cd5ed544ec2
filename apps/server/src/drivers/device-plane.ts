import { join } from "node:path";
import { z } from "zod";
import type { Relay } from "../adapters/events/relay.ts";
import { type Broker, startBroker } from "../adapters/mqtt/broker.ts";
import type { BrokerCertificate } from "../adapters/mqtt/broker-certificate.ts";
import { connectMqtt, type MqttLink, type MqttMessage } from "../adapters/mqtt/mqtt.ts";
import type { Logger } from "../adapters/telemetry/logger.ts";
import { accessNotification } from "../domain/access/lock-links/device-access.ts";
import type { DeviceLinks } from "../domain/access/lock-links/device-links.ts";
import type { DeviceAccess, DeviceAccounts, LockDriver, LockReports } from "../domain/access/lock-links/driver.ts";
import { createLinkedEvents } from "../domain/access/lock-links/linked-events.ts";
import { applyZigbeePeriods, ZigbeeLocks, zigbeeNameNotification } from "../domain/access/lock-links/zigbee-locks.ts";
import { listHotelLocks } from "../domain/access/locks/locks.queries.ts";
import { open as openDoor } from "../domain/access/locks/locks.service.ts";
import type { SystemScopes } from "../kernel/scope.ts";
import { HomeAssistant } from "./home-assistant.ts";
import { BrokerAccounts, brokerRules, type DeviceSession, newServerLogin } from "./mqtt/broker-accounts.ts";
import {
  type BrokerAddressDeps,
  brokerAddress,
  type EncryptedBroker,
  setBrokerAddress,
} from "./mqtt/broker-address.ts";
import { BadMessages, KeyedQueue, lockMessages } from "./mqtt/lock-messages.ts";
import { type FaceImages, mqttDriver } from "./mqtt/mqtt-driver.ts";
import { TtlockCloud } from "./ttlock/ttlock-cloud.ts";
import { ttlockDriver } from "./ttlock/ttlock-driver.ts";
import { zigbeeDriver } from "./zigbee2mqtt/zigbee-driver.ts";
import { zigbeeMessages } from "./zigbee2mqtt/zigbee-messages.ts";
import { ZigbeeDevices } from "./zigbee2mqtt/zigbee-words.ts";

interface DevicePlaneDeps {
  /** URL of the operator's own broker; undefined if we run the embedded broker. */
  mqttUrl: string | undefined;
  broker: { host: string; port: number; maxClients: number; tls?: BrokerTls | null };
  /** Whether the operator's broker is a Mosquitto whose users we manage. */
  dynamicSecurity: boolean;
  /** Address that locks connect to, if it differs from the address we listen on. */
  publicUrl: string | undefined;
  locks: BrokerAddressDeps["locks"] & {
    delivery: { use(driver: LockDriver): void };
    markAllOffline(): Promise<void>;
  };
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
interface BrokerTls {
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

const MAX_CONCURRENT_MESSAGES = 1_000;
const UPDATE_PERIODS_EVERY_MS = 20_000;
/** Delay that combines a burst of board changes into one refresh of Home Assistant. */
const REFRESH_DELAY_MS = 1_000;
const END_SESSIONS_DELAY_MS = 500;
const RENEW_CERTIFICATE_EVERY_MS = 3_600_000;
const boardNotification = z.object({ topic: z.literal("board") });

/**
 * Starts everything that communicates with locks: the broker, our connection to it, and one driver per way to reach a
 * lock.
 */
export async function startDevices(deps: DevicePlaneDeps): Promise<DevicePlane> {
  const { links, locks, log, scopes, now } = deps;
  if (deps.mqttUrl === undefined) await locks.markAllOffline();
  const { broker, link, authority } = await connect(deps);
  const tls = broker?.tlsPort && authority ? { port: broker.tlsPort, authority } : null;
  const location = broker ? { ...deps, broker: { host: deps.broker.host, port: broker.port }, tls } : deps;
  await setBrokerAddress(deps, location);

  const keyedQueue = new KeyedQueue(log);
  const bad = new BadMessages(log);
  const homeAssistant = new HomeAssistant({
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
      if ("mac" in name && events.some(({ success }) => success)) homeAssistant.showOpened(name.hotelId, name.mac);
      return seq;
    },
  };
  const zigbee = new ZigbeeLocks(scopes);
  locks.delivery.use(mqttDriver(link, deps.faceImages));
  const devices = new ZigbeeDevices();
  locks.delivery.use(zigbeeDriver({ link, links, locks: zigbee, devices, now }));
  locks.delivery.use(ttlockDriver(new TtlockCloud(links, now), links));

  const linkedEvents = createLinkedEvents(scopes, reports);
  const accounts = deps.dynamicSecurity ? new BrokerAccounts({ link, accounts: deps.access, log }) : null;
  const handlers = [
    lockMessages({ link, reports, keyedQueue, bad }),
    zigbeeMessages({ links, reports, events: linkedEvents, locks: zigbee, devices, keyedQueue, bad, now }),
    (message: MqttMessage) => homeAssistant.handle(message),
    (message: MqttMessage) => accounts?.handle(message) ?? null,
  ];
  link.onMessage = async (message) => {
    for (const handle of handlers) {
      const handled = handle(message);
      if (handled) return handled;
    }
  };
  const subscriptions = new Subscriptions(link, links, broker === null);
  const updateLinks = (): void => {
    subscriptions.update();
    const endStaleSessions = (): void => {
      broker?.end(({ user }) => user.kind === "link" && currentBase(links, user) !== user.base);
      accounts?.synchronise();
    };
    // We end the connections later, so that a disabled link still receives the messages that withdraw its locks.
    void homeAssistant.refresh().then(() => setTimeout(endStaleSessions, END_SESSIONS_DELAY_MS).unref());
  };
  links.onChange(updateLinks);
  link.onConnect = () => {
    void homeAssistant.refresh(true);
    accounts?.synchronise();
  };
  updateLinks();

  let refreshTimer: NodeJS.Timeout | undefined;
  const unsubscribe = deps.relay.subscribe({
    onMessage(message) {
      const accessChange = accessNotification.safeParse(message).data;
      if (accessChange) {
        broker?.end(
          ({ user }) =>
            user.kind === "lock" &&
            user.hotelId === accessChange.hotelId &&
            user.mac === accessChange.mac &&
            (accessChange.login === null || user.login !== accessChange.login),
        );
        accounts?.synchronise();
      }
      const nameNotification = zigbeeNameNotification.safeParse(message).data;
      const base = nameNotification && links.of(nameNotification.hotelId, "zigbee2mqtt")?.baseTopic;
      if (base !== undefined && base !== null)
        link.requestRetained([`${base}/${nameNotification?.address}/availability`]);
      if (links.all("home_assistant").length === 0 || !boardNotification.safeParse(message).success) return;
      refreshTimer ??= setTimeout(() => {
        refreshTimer = undefined;
        void homeAssistant.refresh();
      }, REFRESH_DELAY_MS).unref();
    },
    onGap() {
      void homeAssistant.refresh();
      accounts?.synchronise();
    },
  });
  const certificateTimer = setInterval(() => void renewCertificate(deps, broker), RENEW_CERTIFICATE_EVERY_MS).unref();
  const periodTimer = setInterval(() => void updatePeriods(links, scopes, log), UPDATE_PERIODS_EVERY_MS).unref();

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
      clearInterval(periodTimer);
      clearInterval(certificateTimer);
      clearTimeout(refreshTimer);
      unsubscribe();
      homeAssistant.close();
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
    const { ensureBrokerCertificate, namesOfThisMachine } = await import("../adapters/mqtt/broker-certificate.ts");
    const folders = { authority: join(directory, "broker-ca"), certificate: join(directory, "broker-tls") };
    return await ensureBrokerCertificate(folders, namesOfThisMachine({ publicUrl, address: broker.host }));
  } catch (error) {
    log.warn({ err: error }, "broker certificate could not be created, so locks can't connect encrypted");
    return null;
  }
}

/** Renews the certificate in case it expires soon or the machine's address changed. */
async function renewCertificate(deps: DevicePlaneDeps, broker: Broker<DeviceSession> | null): Promise<void> {
  if (!broker?.tlsPort) return;
  const certificate = await certificateFor(deps);
  if (certificate) broker.replaceCertificate(certificate);
}

async function connect(deps: DevicePlaneDeps): Promise<Connected> {
  const { mqttUrl, access, reports, log } = deps;
  const { tls: tlsSettings, ...brokerSettings } = deps.broker;
  if (mqttUrl !== undefined) {
    const link = await connectMqtt({ url: mqttUrl, maxConcurrentMessages: MAX_CONCURRENT_MESSAGES, log });
    return { broker: null, link };
  }
  const login = newServerLogin();
  const rules = brokerRules(login, access);
  const onSubscribe = ({ user }: DeviceSession, topic: string): void => {
    if (user.kind !== "lock" || !topic.endsWith("/command")) return;
    reports
      .listening(user)
      .catch((error: unknown) =>
        log.warn({ err: error }, "commands of a lock that subscribed could not be sent again"),
      );
  };
  const certificate = await certificateFor(deps);
  const tls = tlsSettings &&
    certificate && { tls: { ...certificate, port: tlsSettings.port, portSetting: "MQTT_TLS_PORT" } };
  const broker = await startBroker<DeviceSession>({
    ...{ ...brokerSettings, portSetting: "MQTT_PORT" },
    ...tls,
    ...{ rules, onSubscribe, log },
  });
  const localHost = ["0.0.0.0", "::", "localhost"].includes(brokerSettings.host) ? "127.0.0.1" : brokerSettings.host;
  const ownHost = localHost.includes(":") ? `[${localHost}]` : localHost;
  const link = await connectMqtt({
    url: `mqtt://${ownHost}:${broker.port}`,
    ...login,
    maxConcurrentMessages: MAX_CONCURRENT_MESSAGES,
    log,
  });
  return { broker, link, ...(certificate && { authority: certificate.authority }) };
}

function currentBase(links: DeviceLinks, user: Extract<DeviceSession["user"], { kind: "link" }>): string | null {
  if (user.link === "zigbee2mqtt") return links.of(user.hotelId, "zigbee2mqtt")?.baseTopic ?? null;
  return links.of(user.hotelId, "home_assistant")?.prefix ?? null;
}

async function updatePeriods(links: DeviceLinks, scopes: SystemScopes, log: Logger): Promise<void> {
  try {
    for (const { hotelId } of links.all("zigbee2mqtt")) await applyZigbeePeriods(scopes, hotelId);
  } catch (error) {
    log.warn({ err: error }, "periods of codes on Zigbee locks could not be updated, trying again at the next run");
  }
}

/**
 * Subscribes to the topics that this server needs. Several servers on one broker share messages through shared
 * subscriptions.
 */
class Subscriptions {
  readonly #link: Pick<MqttLink, "subscribe" | "unsubscribe">;
  readonly #links: Pick<DeviceLinks, "all">;
  readonly #shared: boolean;
  #linkTopics: string[] = [];

  constructor(link: Pick<MqttLink, "subscribe" | "unsubscribe">, links: Pick<DeviceLinks, "all">, shared: boolean) {
    this.#link = link;
    this.#links = links;
    this.#shared = shared;
    const own = ["lockd/+/+/ack", "lockd/+/+/event", "lockd/+/+/ha/set"].map((topic) => this.#topic(topic));
    // Statuses are retained, and the broker delivers retained messages only to subscriptions that aren't shared.
    link.subscribe([...own, "lockd/+/+/status"]);
  }

  update(): void {
    const topics = this.#links.all("zigbee2mqtt").flatMap(({ settings: { baseTopic } }) => [
      this.#topic(`${baseTopic}/#`),
      // The broker delivers retained messages only to subscriptions that aren't shared. Friendly names may have two
      // levels.
      ...(this.#shared ? ["bridge/state", "bridge/devices", "+/availability", "+/+/availability"] : []).map(
        (rest) => `${baseTopic}/${rest}`,
      ),
    ]);
    this.#link.unsubscribe(this.#linkTopics.filter((topic) => !topics.includes(topic)));
    this.#link.subscribe(topics.filter((topic) => !this.#linkTopics.includes(topic)));
    this.#linkTopics = topics;
  }

  #topic(topic: string): string {
    return this.#shared ? `$share/innkey/${topic}` : topic;
  }
}
