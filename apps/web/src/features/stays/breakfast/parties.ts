import type { BreakfastGuest } from "@innkey/shared/schemas/breakfast";

/** The guests of one stay at breakfast, in their room. */
export type Party = { stayId: number; roomName: string; guests: BreakfastGuest[] };

/** Parties in the order of their rooms; with a text, those in whose room or names it is found. */
export function partiesOf(guests: readonly BreakfastGuest[], text: string): Party[] {
  const parties = new Map<number, Party>();
  for (const guest of guests) {
    const party = parties.get(guest.stayId) ?? { stayId: guest.stayId, roomName: guest.roomName, guests: [] };
    party.guests.push(guest);
    parties.set(guest.stayId, party);
  }
  const needle = text.trim().toLocaleLowerCase();
  return [...parties.values()].filter(({ roomName, guests: names }) =>
    [roomName, ...names.map(({ name }) => name)].some((word) => word.toLocaleLowerCase().includes(needle)),
  );
}
