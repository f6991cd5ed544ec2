import type { Board, BoardRoom } from "@innkey/shared/schemas/rooms";
import { language } from "@/lib/i18n.ts";

/** Room 9 before room 10. */
export const collator = new Intl.Collator(language.tag, { numeric: true, sensitivity: "base" });

export type RoomGroup = { id: number | null; name: string; rooms: BoardRoom[] };

/** The rooms in whose name, kind or guest the text is found, by group, each in the order of their names. */
export function roomGroups({ rooms, groups }: Board, text: string, nameless: string): RoomGroup[] {
  const needle = text.trim().toLocaleLowerCase();
  const matches = rooms
    .filter(({ name, remarkName, current }) =>
      `${name}\n${remarkName}\n${current?.guestName ?? ""}`.toLocaleLowerCase().includes(needle),
    )
    .sort((a, b) => collator.compare(a.name, b.name));
  const sorted: Pick<RoomGroup, "id" | "name">[] = groups.toSorted((a, b) => a.sort - b.sort);
  return [...sorted, { id: null, name: nameless }]
    .map(({ id, name }) => ({ id, name, rooms: matches.filter((room) => room.groupId === id) }))
    .filter((group) => group.rooms.length > 0);
}
