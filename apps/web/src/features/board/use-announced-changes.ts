import type { BoardRoom } from "@innkey/shared/schemas/rooms";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "@/lib/i18n.ts";

const MAX_NAMED = 3;

/** What to read out when rooms change status while the board is open: named if few, counted if many. */
export function useAnnouncedChanges(rooms: readonly BoardRoom[] | undefined): string {
  const { t } = useTranslation();
  const previous = useRef<Map<number, string> | null>(null);
  const [words, setWords] = useState("");
  useEffect(() => {
    if (!rooms) return;
    const before = previous.current;
    previous.current = new Map(rooms.map((room) => [room.id, room.status]));
    const changed = before ? rooms.filter((room) => before.has(room.id) && before.get(room.id) !== room.status) : [];
    if (changed.length === 0) return;
    const named = changed.map((room) => t("board.nowStatus", { name: room.name, status: t(`status.${room.status}`) }));
    setWords(changed.length <= MAX_NAMED ? named.join(" ") : t("board.roomsChanged", { count: changed.length }));
  }, [rooms, t]);
  return words;
}
