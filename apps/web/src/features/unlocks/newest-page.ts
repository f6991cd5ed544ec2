import type { UnlockRecordsOutput } from "@innkey/shared/schemas/access/unlocks";
import type { InfiniteData } from "@tanstack/react-query";

export type RecordPages = InfiniteData<UnlockRecordsOutput, string | undefined>;

const MAX_RECORDS = 1000;

/**
 * Returns the list with its newest page replaced; records loaded earlier stay below it. It starts over from the newest
 * page if there is a gap between the two, or if the list has grown too long.
 */
export function withNewest(pages: RecordPages, newest: UnlockRecordsOutput): RecordPages {
  const ids = new Set(newest.records.map((record) => record.id));
  const loaded = pages.pages.flatMap((page) => page.records);
  const overlaps = loaded.some((record) => ids.has(record.id));
  if (pages.pages.length === 1 || !overlaps || loaded.length > MAX_RECORDS) {
    return { pages: [newest], pageParams: [undefined] };
  }
  const older = pages.pages.map((page) => ({ ...page, records: page.records.filter(({ id }) => !ids.has(id)) }));
  const [first, ...rest] = older;
  return {
    ...pages,
    pages: [
      { records: [...newest.records, ...(first?.records ?? [])], nextCursor: first?.nextCursor ?? null },
      ...rest,
    ],
  };
}
