import type { Board, BoardDifference, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { queryOptions } from "@tanstack/react-query";
import { type BoardEvent, onBoardEvents } from "@/lib/events/console-stream.ts";
import { markChangedRooms } from "@/lib/events/mark-changed.ts";
import { readBoard, readSoon } from "@/lib/events/topics.ts";
import { language } from "@/lib/i18n.ts";
import { queryClient } from "@/lib/query-client.ts";
import { rest } from "@/lib/rest.ts";

type BoardAnswer = { board: Board; etag: string | null };

const boardKey = ["board"] as const;

/** Rooms that didn't change keep their identity between answers, so that only changed cards are drawn again. */
export const boardQuery = queryOptions({
  queryKey: boardKey,
  queryFn: async ({ client, signal }): Promise<BoardAnswer> => {
    const cached = client.getQueryData<BoardAnswer>(boardKey);
    if (!cached?.etag) return readWhole(signal);
    const { etag } = cached;
    const url = `/api/board?since=${encodeURIComponent(etag)}`;
    const response = await rest(url, { signal, headers: { "if-none-match": etag } });
    const read = response.status === 304 ? null : ((await response.json()) as Board | BoardDifference);
    // An event may have brought newer rooms meanwhile.
    const latest = client.getQueryData<BoardAnswer>(boardKey) ?? cached;
    if (!read || (latest !== cached && isNewer(latest.board.version, read.version))) return latest;
    if (!("since" in read)) return { board: read, etag: response.headers.get("etag") };
    return mergeDifference(latest, read) ?? readWhole(signal);
  },
  select: (answer) => answer.board,
});

async function readWhole(signal: AbortSignal): Promise<BoardAnswer> {
  const response = await rest("/api/board", { signal });
  return { board: (await response.json()) as Board, etag: response.headers.get("etag") };
}

const isNewer = (version: string, other: string): boolean => Number(version) > Number(other);

/**
 * Returns the board with the rooms that changed; null if something between its version and the difference is missing. A
 * later `changesAt` may mean that other rooms have changed since by time alone, which the difference doesn't list.
 */
function mergeDifference(answer: BoardAnswer, difference: BoardDifference): BoardAnswer | null {
  const { board } = answer;
  const { version, since, changesAt, etag } = difference;
  if (isNewer(since, board.version) || isNewer(board.version, version)) return null;
  if (board.changesAt !== null && changesAt > board.changesAt) return null;
  const changed = new Map(difference.rooms.map((room) => [room.id, room]));
  const rooms = board.rooms.map((room) => changed.get(room.id) ?? room);
  return { board: { ...board, version, changesAt, rooms }, etag };
}

/** Returns the rooms that look different now. A difference also lists rooms that changed and changed back. */
function changedRooms(before: Board, after: Board): number[] {
  const earlier = new Map(before.rooms.map((room) => [room.id, room]));
  return after.rooms
    .filter((room) => room !== earlier.get(room.id) && JSON.stringify(room) !== JSON.stringify(earlier.get(room.id)))
    .map(({ id }) => id);
}

/** Takes over what changed. Returns false if the board has to be read. */
function mergeEvent({ version, difference }: BoardEvent): boolean {
  const answer = queryClient.getQueryData<BoardAnswer>(boardKey);
  // The timeline and the lists of today show rooms without having the board.
  if (!answer && difference) markChangedRooms(difference.rooms.map(({ id }) => id));
  if (answer && version === answer.board.version) return true;
  const merged = answer && difference && mergeDifference(answer, difference);
  if (!merged) return false;
  queryClient.setQueryData(boardKey, merged);
  markChangedRooms(changedRooms(answer.board, merged.board));
  return true;
}

/**
 * Takes over what other desks changed, and refetches only the pages that show other things of these rooms. The first
 * event of a connection changes nothing if the page has just read this board.
 */
onBoardEvents((event, isFirst) => {
  const isMerged = mergeEvent(event);
  if (!isFirst) readSoon([isMerged ? "roomPages" : "board"]);
  else if (!isMerged) readBoard();
});

/** Compares names so that room 9 comes before room 10. */
export const collator = new Intl.Collator(language.tag, { numeric: true, sensitivity: "base" });

type RoomGroup = { id: number | null; name: string; rooms: BoardRoom[] };

/** Returns the rooms whose name, note or guest contains the text, grouped and sorted by name. */
export function roomGroups({ rooms, groups }: Board, text: string, ungroupedName: string): RoomGroup[] {
  const needle = text.trim().toLocaleLowerCase();
  const matches = rooms
    .filter(({ name, remarkName, current }) =>
      `${name}\n${remarkName}\n${current?.guestName ?? ""}`.toLocaleLowerCase().includes(needle),
    )
    .sort((a, b) => collator.compare(a.name, b.name));
  const sorted: Pick<RoomGroup, "id" | "name">[] = groups.toSorted((a, b) => a.sort - b.sort);
  return [...sorted, { id: null, name: ungroupedName }]
    .map(({ id, name }) => ({ id, name, rooms: matches.filter((room) => room.groupId === id) }))
    .filter((group) => group.rooms.length > 0);
}
