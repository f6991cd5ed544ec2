import type { MqttLink } from "../../infra/mqtt.ts";
import type { DeviceLinks } from "../../modules/locks/device-links.ts";

/** What of all topics this server needs to hear. Several servers at one broker share each message out among them. */
export class Subscriptions {
  readonly #link: Pick<MqttLink, "subscribe" | "unsubscribe">;
  readonly #links: Pick<DeviceLinks, "all">;
  readonly #shared: boolean;
  #linked: string[] = [];

  constructor(link: Pick<MqttLink, "subscribe" | "unsubscribe">, links: Pick<DeviceLinks, "all">, shared: boolean) {
    this.#link = link;
    this.#links = links;
    this.#shared = shared;
    const own = ["lockd/+/+/ack", "lockd/+/+/event", "lockd/+/+/ha/set"].map((topic) => this.#topic(topic));
    // A status is kept by the broker, and only a subscription that isn't shared is given what is kept.
    link.subscribe([...own, "lockd/+/+/status"]);
  }

  follow(): void {
    const topics = this.#links.all("zigbee2mqtt").flatMap(({ settings: { baseTopic } }) => [
      this.#topic(`${baseTopic}/#`),
      // What is kept is given only to a subscription that isn't shared. Friendly names may have two levels.
      ...(this.#shared ? ["bridge/state", "bridge/devices", "+/availability", "+/+/availability"] : []).map(
        (rest) => `${baseTopic}/${rest}`,
      ),
    ]);
    this.#link.unsubscribe(this.#linked.filter((topic) => !topics.includes(topic)));
    this.#link.subscribe(topics.filter((topic) => !this.#linked.includes(topic)));
    this.#linked = topics;
  }

  #topic(topic: string): string {
    return this.#shared ? `$share/innkey/${topic}` : topic;
  }
}
