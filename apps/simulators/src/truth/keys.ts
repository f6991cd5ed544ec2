import type { PreparedCard } from "@innkey/shared/schemas/cards";
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

/** Something that opens doors, in somebody's hand or head. */
export interface Key {
  /** K00017: also the person or note by which the console lists it */
  name: string;
  kind: KeyKind;
  /** of the card, or of the passcode */
  id: number;
  /** where it opens, or ever did */
  doors: Set<Door>;
  /** the card's number, or the code's digits */
  content: string;
  /** what is written on the card; another key may have been written over it since */
  plastic: VirtualCard | null;
  /** doors it opened, in order: of a one-time code there should be one */
  openings: { at: number; door: string; memories: number }[];
  history: string[];
}

export const isCode = ({ kind }: Key): boolean => kind === "code" || kind === "one-time code";

/** Somebody holds it to a door, or types it in. The minute after five wrong codes is over for the next one. */
export function tryKey(key: Key, { door }: Door): Opening {
  const { lock } = door;
  Object.assign(lock.memory, { wrongCodes: 0, lockedOutUntil: 0 });
  if (isCode(key)) return lock.enterCode(key.content);
  return lock.presentCard(key.plastic ? cardAtDoor(key.plastic) : { uid: key.content, read: () => null });
}

/** A card as the desk's reader leaves it. Torn: it was taken away before the record that opens was written. */
export function writtenPlastic(card: PreparedCard, torn: boolean): { plastic: VirtualCard; readBack: string } {
  const { uid, sectorKey, keyType, dataBlock, data, others } = card;
  const places = torn ? others : [...others, { dataBlock, data }];
  const plastic = new VirtualCard({
    name: "",
    uid,
    keyA: sectorKey,
    keyB: sectorKey,
    blocks: Object.fromEntries(places.map((place) => [place.dataBlock, place.data])),
  });
  const bytes = cardAtDoor(plastic).read(dataBlock, keyType, sectorKey);
  return {
    plastic,
    readBack: Buffer.from(bytes ?? [])
      .toString("hex")
      .toUpperCase(),
  };
}
