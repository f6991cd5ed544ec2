import { RETVAL } from "../retval.ts";
import type { VirtualCard } from "../virtual-card.ts";
import type { CardAtDoor } from "./card-verdict.ts";

/** Adapts a card of the desk for a door: the lock reads it as a reader does, with its own keys. */
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
