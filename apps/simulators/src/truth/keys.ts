import type { PreparedCard } from "@innkey/shared/schemas/access/cards";
import { cardAtDoor } from "../locks/presented-card.ts";
import type { Opening } from "../locks/virtual-lock.ts";
import { VirtualCard } from "../virtual-card.ts";
import type { Door } from "./hotel.ts";

export const KEY_KINDS = [
  "guest card",
  "air card",
  "code",
  "one-time code",
  "management card",
  "universal card",
] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** A card or code that opens doors. */
export interface Key {
  /** for example K00017; also the person or note under which the console lists it */
  name: string;
  kind: KeyKind;
  /** id of the card or of the passcode */
  id: number;
  /** doors that it opens or ever opened */
  doors: Set<Door>;
  /** the card number, or the code's digits */
  content: string;
  /** contents of the card; another key may have overwritten it since */
  plastic: VirtualCard | null;
  /** doors it opened, in order; a one-time code may have only one */
  openings: { at: number; door: string; memories: number }[];
  history: string[];
}

export const isCode = ({ kind }: Key): boolean => kind === "code" || kind === "one-time code";

/** Presents the key at a door, or enters its code. It first clears the lockout that follows five wrong codes. */
export function tryKey(key: Key, { door }: Door): Opening {
  const { lock } = door;
  Object.assign(lock.memory, { wrongCodes: 0, lockedOutUntil: 0 });
  if (isCode(key)) return lock.enterCode(key.content);
  return lock.presentCard(key.plastic ? cardAtDoor(key.plastic) : { uid: key.content, read: () => null });
}

/** Returns a card as the desk's reader leaves it. `torn`: it was removed before the record that opens was written. */
export function writtenPlastic(card: PreparedCard, torn: boolean): { plastic: VirtualCard; readBack: string } {
  const { uid, sectorKey, keyType, dataBlock, data, others } = card;
  const places = torn ? others : [...others, { dataBlock, data }];
  const plastic = new VirtualCard({
    name: "",
    uid,
    keyA: sectorKey,
    keyB: sectorKey,
    blocks: Object.fromEntries(places.map((block) => [block.dataBlock, block.data])),
  });
  const bytes = cardAtDoor(plastic).read(dataBlock, keyType, sectorKey);
  return {
    plastic,
    readBack: Buffer.from(bytes ?? [])
      .toString("hex")
      .toUpperCase(),
  };
}
