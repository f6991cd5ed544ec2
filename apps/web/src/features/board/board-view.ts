import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { searchText, searchWords } from "@innkey/shared/search-text";
import { isArriving, isOverdue } from "@/entities/room/room-state.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { BOARD_FILTERS, type BoardFilter, type BoardSearch, type BoardSort } from "./board-search.ts";

export type BoardSection = { name: string | null; rooms: BoardRoom[] };

export type BoardView = {
  /** Number of rooms that each filter would show, after search and group are applied but before the status filter. */
  counts: Record<BoardFilter, number>;
  matching: number;
  rooms: BoardRoom[];
  /** The same rooms by group in the default order; otherwise a single section without a name. */
  sections: BoardSection[];
};

function matchesFilter(room: BoardRoom, filter: BoardFilter, clock: HotelClock): boolean {
  if (filter === "overdue") return isOverdue(room, clock.now);
  if (filter === "arriving") return isArriving(room, clock);
  if (filter === "leaving") return room.current !== null && Date.parse(room.current.endsAt) < clock.endOfToday;
  return room.status === filter;
}

const searchableText = (room: BoardRoom): string =>
  searchText([room.name, room.remarkName, room.current?.guestName, room.next?.guestName].filter(Boolean).join("\n"));

function roomComparator(sort: BoardSort, collator: Intl.Collator): (a: BoardRoom, b: BoardRoom) => number {
  const byName = (a: BoardRoom, b: BoardRoom): number => collator.compare(a.name, b.name) || a.id - b.id;
  if (sort === "az") return byName;
  if (sort === "za") return (a, b) => byName(b, a);
  if (sort === "reverse") return (a, b) => b.sort - a.sort || byName(b, a);
  return (a, b) => a.sort - b.sort || byName(a, b);
}

/** Returns the time by which a list of guests who come or go is sorted. */
function timeOf(filter: BoardFilter): ((room: BoardRoom) => number) | null {
  if (filter === "arriving") return ({ next }) => Date.parse(next?.startsAt ?? "");
  if (filter === "leaving" || filter === "overdue") return ({ current }) => Date.parse(current?.endsAt ?? "");
  return null;
}

function sectionsOf(board: Board, rooms: BoardRoom[], collator: Intl.Collator): BoardSection[] {
  const groups = board.groups.toSorted((a, b) => a.sort - b.sort || collator.compare(a.name, b.name));
  const byGroup = new Map<number | null, BoardRoom[]>([...groups.map(({ id }) => id), null].map((id) => [id, []]));
  for (const room of rooms) byGroup.get(room.groupId)?.push(room);
  const sections = [...groups, { id: null, name: null }].map(({ id, name }) => ({
    name,
    rooms: byGroup.get(id) ?? [],
  }));
  return sections.filter((section) => section.rooms.length > 0);
}

/** Filters, counts and sorts the board for the screen. Names sort naturally: room 9 comes before room 10. */
export function viewBoard(board: Board, search: BoardSearch, clock: HotelClock, collator: Intl.Collator): BoardView {
  const terms = searchWords(search.q ?? "");
  const matching = board.rooms.filter((room) => {
    if (search.group !== undefined && room.groupId !== search.group) return false;
    return terms.length === 0 || terms.every((term) => searchableText(room).includes(term));
  });
  const count = (filter: BoardFilter): number => matching.filter((room) => matchesFilter(room, filter, clock)).length;
  const counts = Object.fromEntries(BOARD_FILTERS.map((filter) => [filter, count(filter)])) as Record<
    BoardFilter,
    number
  >;
  const { status, sort = "default" } = search;
  const byTime = sort === "default" && status ? timeOf(status) : null;
  const rooms = matching
    .filter((room) => !status || matchesFilter(room, status, clock))
    .sort(byTime ? (a, b) => byTime(a) - byTime(b) : roomComparator(sort, collator));
  const isGrouped = sort === "default" && !byTime;
  const sections = isGrouped ? sectionsOf(board, rooms, collator) : [{ name: null, rooms }];
  return { counts, matching: matching.length, rooms: sections.flatMap((section) => section.rooms), sections };
}
