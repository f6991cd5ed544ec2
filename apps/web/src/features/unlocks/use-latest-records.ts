import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useRecordNews } from "@/lib/events/console-stream.ts";
import { oneAtATime } from "@/lib/loading/once.ts";
import { type RecordsOf, readRecords, recordsKey } from "./records-query.ts";

const NONE: ReadonlySet<string> = new Set();
const FRESH_MILLISECONDS = 2500;

/** Returns the ids recently added at the top of a list, for a short time. A change of `list` starts anew. */
export function useFresh(ids: readonly string[] | undefined, list: string): ReadonlySet<string> {
  const [fresh, setFresh] = useState(NONE);
  const previous = useRef<{ list: string; ids: ReadonlySet<string> } | null>(null);

  useEffect(() => {
    if (!ids) return;
    const before = previous.current;
    previous.current = { list, ids: new Set(ids) };
    if (before?.list !== list) return;
    const firstKnown = ids.findIndex((id) => before.ids.has(id));
    const added = firstKnown < 0 && before.ids.size > 0 ? [] : ids.slice(0, firstKnown < 0 ? undefined : firstKnown);
    if (added.length > 0) setFresh(new Set(added));
  }, [ids, list]);

  useEffect(() => {
    if (fresh.size === 0) return;
    const timer = setTimeout(() => setFresh(NONE), FRESH_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [fresh]);

  return fresh;
}

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
  useRecordNews(read);
  return useQuery(query);
}
