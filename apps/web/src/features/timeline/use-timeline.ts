import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useBoardEvents } from "@/entities/room/use-board-events.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";

/** Changes within this time are read together. */
const GATHER_MILLISECONDS = 150;
/** Refresh interval, because a stay can become overdue without any event. */
const AGAIN_MILLISECONDS = 300_000;
/** Refresh interval for users who don't receive board events. */
const QUIET_MILLISECONDS = 15_000;

/** Reads the timeline of the displayed days, again whenever any desk changes something. */
export function useTimeline(from: string, days: number) {
  const client = useQueryClient();
  const reader = useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return {
      read: () => {
        clearTimeout(timer);
        timer = setTimeout(() => void client.invalidateQueries(trpc.timeline.read.pathFilter()), GATHER_MILLISECONDS);
      },
      stop: () => clearTimeout(timer),
    };
  }, [client]);
  useEffect(() => reader.stop, [reader]);
  const mayView = useCan()("rooms.view");
  const connection = useBoardEvents(reader.read);
  const query = useQuery(
    trpc.timeline.read.queryOptions(
      { from, days },
      { placeholderData: keepPreviousData, refetchInterval: mayView ? AGAIN_MILLISECONDS : QUIET_MILLISECONDS },
    ),
  );
  return { query, connection };
}
