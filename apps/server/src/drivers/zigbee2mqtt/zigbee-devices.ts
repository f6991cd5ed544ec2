import { abilitiesOf, type ZigbeeAbility } from "./zigbee-words.ts";

const MAX_NAMES = 10_000;

/** Abilities and presence of the devices, as each zigbee2mqtt last reported them. */
export class ZigbeeDevices {
  readonly #abilities = new Map<number, ReadonlyMap<string, ZigbeeAbility>>();
  readonly #present = new Map<string, boolean>();

  /** Stores the abilities from a `bridge/devices` message. Returns false if it is invalid. */
  noteAll(hotelId: number, payload: unknown): boolean {
    const abilities = abilitiesOf(payload);
    if (abilities) this.#abilities.set(hotelId, abilities);
    return abilities !== null;
  }

  /** Returns a device's abilities, or null if zigbee2mqtt didn't list it. */
  abilityOf(hotelId: number, address: string): ZigbeeAbility | null {
    return this.#abilities.get(hotelId)?.get(address) ?? null;
  }

  /** Stores the state from a device's `…/availability` message. */
  notePresence(hotelId: number, address: string, present: boolean): void {
    if (this.#present.size >= MAX_NAMES) this.#present.clear();
    this.#present.set(`${hotelId}/${address}`, present);
  }

  /**
   * Whether zigbee2mqtt reported the device as offline. Other messages don't prove that it is back, because
   * zigbee2mqtt may publish cached values.
   */
  isAway(hotelId: number, address: string): boolean {
    return this.#present.get(`${hotelId}/${address}`) === false;
  }
}
