import type { Board } from "@innkey/shared/schemas/property/rooms";

const collator = new Intl.Collator(undefined, { numeric: true });

/**
 * Returns the hotel's rooms by group, in the order of the groups. Rooms without a group come last; empty groups are
 * left out.
 */
export function roomGroupsOf({ rooms, groups }: Board, nameless: string) {
  const sorted = rooms.toSorted((a, b) => collator.compare(a.name, b.name));
  const sortedGroups = groups
    .toSorted((a, b) => a.sort - b.sort)
    .map(({ id, name }) => ({ id: id as number | null, name }));
  return [...sortedGroups, { id: null, name: nameless }]
    .map((group) => ({ ...group, rooms: sorted.filter((room) => room.groupId === group.id) }))
    .filter((group) => group.rooms.length > 0);
}
