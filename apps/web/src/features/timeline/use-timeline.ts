import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc } from "@/lib/trpc.ts";

/** Refresh interval, because a stay becomes overdue by time alone, without any event. */
const AGAIN_MILLISECONDS = 300_000;

/** Reads the timeline of the displayed days. */
export function useTimeline(from: string, days: number) {
  return useQuery(
    trpc.timeline.read.queryOptions(
      { from, days },
      { placeholderData: keepPreviousData, refetchInterval: AGAIN_MILLISECONDS },
    ),
  );
}
