import type { UnlockRecordsInput, UnlockRecordsOutput } from "@innkey/shared/schemas/access/unlocks";
import { infiniteQueryOptions, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { api } from "@/lib/api.ts";
import { useUnlockEvents } from "@/lib/events/console-stream.ts";
import { oneAtATime } from "@/lib/loading/runs.ts";
import { rest } from "@/lib/rest.ts";

/** Doors whose records are read: all of the hotel, those of a room, guest or lock, or what a search finds. */
export type RecordSubject =
  | { roomId: number }
  | { stayGuestId: number }
  | { lockId: number }
  | { keyword: string }
  | "hotel";
export type RecordFilters = Pick<UnlockRecordsInput, "from" | "to" | "style" | "success" | "limit">;

export const recordsKey = (subject: RecordSubject, filters: RecordFilters) => ["unlocks", subject, filters] as const;

/**
 * Reads one page of records, newest first. A room's records use a separate REST route because they are read most often.
 */
export async function readRecords(
  subject: RecordSubject,
  filters: RecordFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<UnlockRecordsOutput> {
  const input = { ...filters, cursor };
  if (subject === "hotel") return api.unlocks.ofHouse.query(input, { signal });
  if ("keyword" in subject) return api.unlocks.ofHouse.query({ ...input, ...subject }, { signal });
  if ("stayGuestId" in subject) return api.unlocks.ofPerson.query({ ...input, ...subject }, { signal });
  if ("lockId" in subject) return api.unlocks.ofLock.query({ ...input, ...subject }, { signal });
  const parameters = Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const response = await rest(`/api/rooms/${subject.roomId}/unlocks?${new URLSearchParams(parameters)}`, { signal });
  return (await response.json()) as UnlockRecordsOutput;
}

export const recordsQuery = (subject: RecordSubject, filters: RecordFilters) =>
  infiniteQueryOptions({
    queryKey: recordsKey(subject, filters),
    queryFn: ({ pageParam, signal }) => readRecords(subject, filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

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

/** Reads the latest records and keeps them up to date. `subject` must be stable. */
export function useLatestRecords(subject: RecordSubject, limit: number) {
  const client = useQueryClient();
  const query = useMemo(
    () =>
      queryOptions({
        queryKey: [...recordsKey(subject, { limit }), "latest"],
        queryFn: ({ signal }) => readRecords(subject, { limit }, undefined, signal),
      }),
    [subject, limit],
  );
  const read = useMemo(
    () => oneAtATime(() => client.refetchQueries({ queryKey: query.queryKey }, { cancelRefetch: false })),
    [client, query],
  );
  useUnlockEvents(read);
  return useQuery(query);
}
