import { uidCandidates } from "@innkey/shared/cards/uid";
import type { KeptCard, KeptRoom } from "@/lib/offline/kept-board.ts";

const END_LENGTH = 4;

/**
 * Returns the ends that the typed card number may have: readers write it in either byte order, as hex or decimal. Four hex
 * digits are an end themselves. Empty while it is neither.
 */
export function cardEnds(text: string): string[] {
  const typed = text.trim().toUpperCase();
  if (/^[0-9A-F]{4}$/.test(typed)) return [typed];
  return [...new Set(uidCandidates(text).map((uid) => uid.slice(-END_LENGTH)))];
}

/** Returns the rooms that have a card with one of these ends. Two cards can have the same one. */
export function roomsOfCard(rooms: readonly KeptRoom[], ends: readonly string[]): { room: KeptRoom; card: KeptCard }[] {
  return rooms.flatMap((room) =>
    (room.cards ?? []).filter(({ number }) => ends.includes(number)).map((card) => ({ room, card })),
  );
}
