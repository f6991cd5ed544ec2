import type { BoardMark } from "@innkey/shared/schemas/overview/board-marks";
import type { BoardRoom } from "@innkey/shared/schemas/property/rooms";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { BY_TIME_MILLISECONDS } from "@/lib/events/topics.ts";
import { useCan } from "@/lib/session.ts";
import type { HotelClock } from "@/lib/time/timers.ts";
import { trpc } from "@/lib/trpc.ts";
import { isArriving } from "./room-state.ts";

export type BoardMarks = ReadonlyMap<number, BoardMark>;

/** Returns what is missing of the stay that the board shows for a room: the one in it, or the one that arrives today. */
export function markOf(room: BoardRoom, marks: BoardMarks, clock: HotelClock): BoardMark | undefined {
  return marks.get(room.current?.stayId ?? (isArriving(room, clock) ? room.next?.stayId : undefined) ?? 0);
}

const NO_MARKS: BoardMarks = new Map();

/** Returns what is missing of the stays on the board, by stay: money and keys. Nothing to those who may not see stays. */
export function useBoardMarks(): BoardMarks {
  const can = useCan();
  const enabled = can("stays.view");
  const { data } = useQuery(
    trpc.board.marks.queryOptions(undefined, { enabled, refetchInterval: BY_TIME_MILLISECONDS }),
  );
  return useMemo(() => (data ? new Map(data.map((mark) => [mark.stayId, mark])) : NO_MARKS), [data]);
}
