import type { BreakfastGuest } from "@innkey/shared/schemas/stays/breakfast";

/** Guests of one stay at breakfast, with their room. */
export type Party = { stayId: number; roomName: string; guests: BreakfastGuest[] };

/** Groups guests by stay, in the order of rooms. With a text, it returns those whose room or guest names match. */
export function partiesOf(guests: readonly BreakfastGuest[], text: string): Party[] {
  const parties = new Map<number, Party>();
  for (const guest of guests) {
    const party = parties.get(guest.stayId) ?? { stayId: guest.stayId, roomName: guest.roomName, guests: [] };
    party.guests.push(guest);
    parties.set(guest.stayId, party);
  }
  const needle = text.trim().toLocaleLowerCase();
  return [...parties.values()].filter(({ roomName, guests: names }) =>
    [roomName, ...names.map(({ name }) => name)].some((roomOrGuest) =>
      roomOrGuest.toLocaleLowerCase().includes(needle),
    ),
  );
}
