import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useBoardEvents } from "@/entities/room/use-board-events.ts";
import { useCan } from "@/lib/session.ts";
import { trpc } from "@/lib/trpc.ts";

/** Several acts of one moment are one reading. */
const GATHER_MILLISECONDS = 150;
/** Time alone makes a party overdue. */
const AGAIN_MILLISECONDS = 300_000;
/** For who is not told what changes. */
const QUIET_MILLISECONDS = 15_000;

/** The shown days, read again when any desk changed something. */
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
