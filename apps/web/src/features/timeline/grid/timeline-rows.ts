import type { Timeline, TimelineBar, TimelineRoom } from "@innkey/shared/schemas/overview/timeline";
import { searchText, searchWords } from "@innkey/shared/search-text";
import type { TimelineSearch } from "../timeline-search.ts";

export type RoomLine = { kind: "room"; room: TimelineRoom; bars: readonly TimelineBar[] };
export type GroupLine = { kind: "group"; id: number; name: string | null; count: number; open: boolean };
export type TimelineLine = RoomLine | GroupLine;

/** Group id of rooms without a group. */
export const NO_GROUP = 0;
const NO_BARS: readonly TimelineBar[] = [];

function matches(room: TimelineRoom, bars: readonly TimelineBar[], terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const text = searchText(
    [room.name, room.remarkName, ...bars.map(({ stay }) => stay?.guestName)].filter(Boolean).join("\n"),
  );
  return terms.every((term) => text.includes(term));
}

function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * Returns the lines of the timeline: matching rooms by group, without those of collapsed groups. Room 9 comes before
 * room 10.
 */
export function linesOf(
  timeline: Timeline,
  search: TimelineSearch,
  collapsedGroups: ReadonlySet<number>,
  collator: Intl.Collator,
): TimelineLine[] {
  const barsOf = groupBy(timeline.bars, ({ roomId }) => roomId);
  const terms = searchWords(search.q ?? "");
  const rooms = timeline.rooms
    .filter((room) => search.group === undefined || room.groupId === search.group)
    .filter((room) => search.status === undefined || room.status === search.status)
    .filter((room) => matches(room, barsOf.get(room.id) ?? NO_BARS, terms))
    .toSorted((a, b) => a.sort - b.sort || collator.compare(a.name, b.name) || a.id - b.id);
  const byGroup = groupBy(rooms, ({ groupId }) => groupId ?? NO_GROUP);
  const groups = [
    ...timeline.groups.toSorted((a, b) => a.sort - b.sort || collator.compare(a.name, b.name)),
    { id: NO_GROUP, name: null },
  ];
  const hasHeadings = timeline.groups.length > 0;
  return groups.flatMap(({ id, name }): TimelineLine[] => {
    const groupRooms = byGroup.get(id) ?? [];
    if (groupRooms.length === 0) return [];
    const open = !collapsedGroups.has(id);
    const lines = groupRooms.map((room): RoomLine => ({ kind: "room", room, bars: barsOf.get(room.id) ?? NO_BARS }));
    return [
      ...(hasHeadings ? [{ kind: "group" as const, id, name, count: groupRooms.length, open }] : []),
      ...(open ? lines : []),
    ];
  });
}
