import { lockTopics } from "@innkey/shared/locks/protocol";
import type { MqttLink, MqttMessage } from "../adapters/mqtt/mqtt.ts";
import type { Logger } from "../adapters/telemetry/logger.ts";
import type { DeviceLinks } from "../domain/access/lock-links/device-links.ts";
import type { HotelLock } from "../domain/access/locks/locks.queries.ts";

export interface HomeAssistantDeps {
  link: Pick<MqttLink, "connected" | "publish">;
  links: Pick<DeviceLinks, "all" | "of">;
  locksOf(hotelId: number): Promise<HotelLock[]>;
  /** Opens the door of a room, as the console's remote unlock does. */
  open(hotelId: number, roomId: number): Promise<void>;
  log: Logger;
}

/** Doors lock again without a command, so we show a door as unlocked only for this time after an opening. */
const OPEN_DISPLAY_MS = 5_000;
const SET_TOPIC = /^lockd\/(\d{1,9})\/([0-9A-F]{12})\/ha\/set$/;
const macDigits = (mac: string): string => mac.replaceAll(":", "");

/**
 * Announces every lock of a hotel to Home Assistant by MQTT discovery while the link is on. Source: home-assistant.io,
 * MQTT discovery and MQTT lock.
 */
export class HomeAssistant {
  readonly #deps: HomeAssistantDeps;
  /** Announcements published so far, by topic. */
  readonly #announced = new Map<string, string>();
  readonly #lockTimers = new Map<string, NodeJS.Timeout>();
  #lastRefresh: Promise<void> = Promise.resolve();

  constructor(deps: HomeAssistantDeps) {
    this.#deps = deps;
  }

  /**
   * Publishes changed announcements and withdraws those of locks that are no longer shared. With `republish` all
   * are published again, because the broker may have lost them.
   */
  refresh(republish = false): Promise<void> {
    if (republish) this.#announced.clear();
    this.#lastRefresh = this.#lastRefresh
      .then(() => this.#refresh())
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, "Home Assistant could not be updated"));
    return this.#lastRefresh;
  }

  /**
   * Handles a request to open a door. Returns null for other topics. Ignores everything but UNLOCK, because doors
   * lock again without a command.
   */
  handle({ topic, payload, retained }: MqttMessage): Promise<void> | null {
    const [, hotel, digits] = SET_TOPIC.exec(topic) ?? [];
    if (hotel === undefined || digits === undefined) return null;
    // We ignore retained requests: they would open the door again at each start of the server.
    if (retained || payload.toString("utf8").trim() !== "UNLOCK") return Promise.resolve();
    return this.#open(Number(hotel), digits);
  }

  /** Shows a door as unlocked for a moment after it was opened. */
  showOpened(hotelId: number, mac: string): void {
    if (!this.#deps.links.of(hotelId, "home_assistant")) return;
    const topic = `${lockTopics.root(hotelId, mac)}/ha/state`;
    clearTimeout(this.#lockTimers.get(topic));
    this.#publishState(topic, "UNLOCKED");
    this.#lockTimers.set(
      topic,
      setTimeout(() => {
        this.#lockTimers.delete(topic);
        this.#publishState(topic, "LOCKED");
      }, OPEN_DISPLAY_MS).unref(),
    );
  }

  close(): void {
    for (const timer of this.#lockTimers.values()) clearTimeout(timer);
  }

  async #refresh(): Promise<void> {
    const { link, links, locksOf } = this.#deps;
    if (!link.connected) return;
    const announcements = new Map<string, string>();
    const newStateTopics: string[] = [];
    for (const { hotelId, settings } of links.all("home_assistant")) {
      for (const lock of await locksOf(hotelId)) {
        const topic = `${settings.prefix}/lock/innkey-${hotelId}/${macDigits(lock.mac)}/config`;
        announcements.set(topic, announcement(hotelId, lock));
        if (!this.#announced.has(topic)) newStateTopics.push(`${lockTopics.root(hotelId, lock.mac)}/ha/state`);
      }
    }
    for (const topic of [...this.#announced.keys()].filter((topic) => !announcements.has(topic))) {
      await link.publish(topic, "", { retain: true });
      this.#announced.delete(topic);
    }
    for (const [topic, config] of announcements) {
      if (this.#announced.get(topic) === config) continue;
      await link.publish(topic, config, { retain: true });
      this.#announced.set(topic, config);
    }
    for (const topic of newStateTopics) await link.publish(topic, "LOCKED", { retain: true });
  }

  async #open(hotelId: number, digits: string): Promise<void> {
    const { links, locksOf, open, log } = this.#deps;
    if (!links.of(hotelId, "home_assistant")) return;
    const lock = (await locksOf(hotelId)).find(({ mac }) => macDigits(mac) === digits);
    if (!lock || lock.roomId === null) return;
    try {
      await open(hotelId, lock.roomId);
    } catch (error) {
      log.warn({ err: error, hotelId, roomId: lock.roomId }, "door could not be opened for Home Assistant");
    }
  }

  #publishState(topic: string, state: string): void {
    this.#deps.link.publish(topic, state, { retain: true }).catch(() => undefined);
  }
}

function announcement(hotelId: number, { mac, driver, roomName }: HotelLock): string {
  const root = lockTopics.root(hotelId, mac);
  const id = `innkey_${hotelId}_${macDigits(mac)}`;
  return JSON.stringify({
    name: null,
    unique_id: id,
    command_topic: `${root}/ha/set`,
    state_topic: `${root}/ha/state`,
    payload_unlock: "UNLOCK",
    payload_lock: "LOCK",
    state_locked: "LOCKED",
    state_unlocked: "UNLOCKED",
    optimistic: false,
    qos: 1,
    // Only locks of our own protocol publish their availability on a topic; their last will is a bare word instead of
    // JSON.
    ...(driver === "mqtt" && {
      availability: [
        {
          topic: `${root}/status`,
          value_template: "{{ value_json.state if value_json is defined else value }}",
          payload_available: "online",
          payload_not_available: "offline",
        },
      ],
    }),
    device: { identifiers: [id], name: roomName ?? mac, model: driver, connections: [["mac", mac.toLowerCase()]] },
    origin: { name: "Innkey" },
  });
}
