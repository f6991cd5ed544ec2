import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { queryOptions } from "@tanstack/react-query";
import { language } from "@/lib/i18n.ts";
import { rest } from "@/lib/rest.ts";

type BoardAnswer = { board: Board; etag: string | null };

const boardKey = ["board"] as const;

/** Rooms that didn't change keep their identity between answers, so that only changed cards are drawn again. */
export const boardQuery = queryOptions({
  queryKey: boardKey,
  queryFn: async ({ client, signal }): Promise<BoardAnswer> => {
    const cached = client.getQueryData<BoardAnswer>(boardKey);
    const response = await rest("/api/board", {
      signal,
      headers: cached?.etag ? { "if-none-match": cached.etag } : {},
    });
    if (response.status === 304 && cached) return cached;
    return { board: (await response.json()) as Board, etag: response.headers.get("etag") };
  },
  select: (answer) => answer.board,
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
