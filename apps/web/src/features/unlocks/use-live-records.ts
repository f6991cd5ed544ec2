import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { type DoorNews, useDoorNews } from "@/entities/unlock/door-stream.ts";
import { oneAtATime } from "@/lib/loading/one-at-a-time.ts";
import { type RecordPages, withNewest } from "./newest-page.ts";
import { type RecordFilters, type RecordsOf, readRecords, recordsKey, recordsQuery } from "./records-query.ts";
import { useFresh } from "./use-fresh.ts";

/** Reads a list of records and adds new ones automatically unless paused. `of` and `filters` must be stable. */
export function useLiveRecords(of: RecordsOf, filters: RecordFilters, paused: boolean) {
  const client = useQueryClient();
  const query = useInfiniteQuery(recordsQuery(of, filters));
  const missed = useRef(false);

  const readNewest = useMemo(
    () =>
      oneAtATime(async () => {
        const queryKey = recordsKey(of, filters);
        if (!client.getQueryData(queryKey)) await client.refetchQueries({ queryKey }, { cancelRefetch: false });
        const newest = await client.fetchQuery({
          queryKey: [...queryKey, "newest"],
          queryFn: ({ signal }) => readRecords(of, filters, undefined, signal),
          staleTime: 0,
          gcTime: 0,
          retry: false,
        });
        client.setQueryData<RecordPages>(queryKey, (pages) => pages && withNewest(pages, newest));
      }),
    [client, of, filters],
  );

  const hear = useCallback(
    (news: DoorNews) => {
      if (news.about !== "records") return;
      const elsewhere = typeof of === "object" && "roomId" in of && news.roomIds?.includes(of.roomId) === false;
      if (elsewhere) return;
      if (paused) missed.current = true;
      else readNewest();
    },
    [of, paused, readNewest],
  );
  useDoorNews(hear);

  useEffect(() => {
    if (paused || !missed.current) return;
    missed.current = false;
    readNewest();
  }, [paused, readNewest]);

  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.records), [query.data]);
  const ids = useMemo(() => rows?.map(({ id }) => id), [rows]);
  const fresh = useFresh(ids, JSON.stringify([of, filters]));
  return { query, rows, fresh };
}
