import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type DoorNews, useDoorNews } from "@/entities/unlock/door-stream.ts";
import { oneAtATime } from "@/lib/loading/one-at-a-time.ts";
import { trpc } from "@/lib/trpc.ts";

/** Returns a function that reads the displayed messages again, also after an action at this desk. */
export function useRefreshMessages(): () => void {
  const client = useQueryClient();
  return useMemo(
    () => oneAtATime(() => client.invalidateQueries(trpc.messages.pathFilter(), { cancelRefetch: false })),
    [client],
  );
}

/** Keeps the hotel's messages up to date. */
export function useMessageNews(): void {
  const refresh = useRefreshMessages();
  const hear = useCallback((news: DoorNews) => news.about === "messages" && refresh(), [refresh]);
  useDoorNews(hear);
}
