import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type DoorNews, useDoorNews } from "@/entities/unlock/door-stream.ts";
import { oneAtATime } from "@/lib/loading/one-at-a-time.ts";
import { type RecordsOf, readRecords, recordsKey } from "./records-query.ts";

/** Reads the latest records and keeps them up to date. `of` must be stable. */
export function useLatestRecords(of: RecordsOf, limit: number) {
  const client = useQueryClient();
  const query = useMemo(
    () =>
      queryOptions({
        queryKey: [...recordsKey(of, { limit }), "latest"],
        queryFn: ({ signal }) => readRecords(of, { limit }, undefined, signal),
      }),
    [of, limit],
  );
  const read = useMemo(
    () => oneAtATime(() => client.refetchQueries({ queryKey: query.queryKey }, { cancelRefetch: false })),
    [client, query],
  );
  const hear = useCallback((news: DoorNews) => news.about === "records" && read(), [read]);
  useDoorNews(hear);
  return useQuery(query);
}
