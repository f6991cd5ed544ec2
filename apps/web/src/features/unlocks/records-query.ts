import type { UnlockRecordsInput, UnlockRecordsOutput } from "@innkey/shared/schemas/access/unlocks";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api.ts";
import { rest } from "@/lib/rest.ts";

/** Doors whose records are read: all of the hotel, or those of a room, guest or lock. */
export type RecordsOf = { roomId: number } | { stayGuestId: number } | { lockId: number } | "house";
export type RecordFilters = Pick<UnlockRecordsInput, "from" | "to" | "style" | "success" | "limit">;

export const recordsKey = (of: RecordsOf, filters: RecordFilters) => ["unlocks", of, filters] as const;

/**
 * Reads one page of records, newest first. A room's records use a separate REST route because they are read most often.
 */
export async function readRecords(
  of: RecordsOf,
  filters: RecordFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<UnlockRecordsOutput> {
  const input = { ...filters, cursor };
  if (of === "house") return api.unlocks.ofHouse.query(input, { signal });
  if ("stayGuestId" in of) return api.unlocks.ofPerson.query({ ...input, ...of }, { signal });
  if ("lockId" in of) return api.unlocks.ofLock.query({ ...input, ...of }, { signal });
  const parameters = Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const response = await rest(`/api/rooms/${of.roomId}/unlocks?${new URLSearchParams(parameters)}`, { signal });
  return (await response.json()) as UnlockRecordsOutput;
}

export const recordsQuery = (of: RecordsOf, filters: RecordFilters) =>
  infiniteQueryOptions({
    queryKey: recordsKey(of, filters),
    queryFn: ({ pageParam, signal }) => readRecords(of, filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
