import { RETVAL } from "../retval.ts";
import type { VirtualCard } from "../virtual-card.ts";
import type { CardAtDoor } from "./card-verdict.ts";

/** A card of the desk, held to a door: the lock reads it as a reader does, with the keys it has. */
export function cardAtDoor(card: VirtualCard): CardAtDoor {
  return {
    uid: card.uid,
    read(block, keyType, key) {
      card.powerOff();
      card.request(true);
      card.select(card.uid);
      card.authenticate(keyType, block, key);
      const { retval, data } = card.read(block);
      card.powerOff();
      return retval === RETVAL.done ? Buffer.from(data, "hex") : null;
    },
  };
}
