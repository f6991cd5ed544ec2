import type { Board, BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { language } from "@/lib/i18n.ts";

/** Compares names so that room 9 comes before room 10. */
export const collator = new Intl.Collator(language.tag, { numeric: true, sensitivity: "base" });

export type RoomGroup = { id: number | null; name: string; rooms: BoardRoom[] };

/** Returns the rooms whose name, kind or guest contains the text, by group and sorted by name. */
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
