import type { MqttLink } from "../../adapters/mqtt/mqtt.ts";
import type { DeviceLinks } from "../../domain/access/lock-links/device-links.ts";

/**
 * Subscribes to the topics that this server needs. Several servers on one broker share messages through shared
 * subscriptions.
 */
export class Subscriptions {
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
