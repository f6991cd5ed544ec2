import { abilitiesOf, type ZigbeeAbility } from "./zigbee-words.ts";

const MAX_NAMES = 10_000;

/** What each zigbee2mqtt last said of its devices as a whole: what they can do, and whether they are there. */
export class ZigbeeDevices {
  readonly #abilities = new Map<number, ReadonlyMap<string, ZigbeeAbility>>();
  readonly #present = new Map<string, boolean>();

  /** `bridge/devices`. False if it makes no sense. */
  noteAll(hotelId: number, payload: unknown): boolean {
    const abilities = abilitiesOf(payload);
    if (abilities) this.#abilities.set(hotelId, abilities);
    return abilities !== null;
  }

  /** Null for a device that zigbee2mqtt has not named. */
  abilityOf(hotelId: number, address: string): ZigbeeAbility | null {
    return this.#abilities.get(hotelId)?.get(address) ?? null;
  }

  /** `…/availability` of a device. */
  notePresence(hotelId: number, address: string, present: boolean): void {
    if (this.#present.size >= MAX_NAMES) this.#present.clear();
    this.#present.set(`${hotelId}/${address}`, present);
  }

  /**
   * zigbee2mqtt said that the device is away. It says so itself when one is back; what else it publishes of it may be what
   * it remembers.
   */
  isAway(hotelId: number, address: string): boolean {
    return this.#present.get(`${hotelId}/${address}`) === false;
  }
}
