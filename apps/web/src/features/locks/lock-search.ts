import { listParams } from "@/components/table/list-search.ts";
import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";

export const LOCK_FILTERS = ["offline", "low", "new", "stopped"] as const;
export type LockFilter = (typeof LOCK_FILTERS)[number];

export const lockSearch = searchOf({ ...listParams, show: oneOf(LOCK_FILTERS) });
export type LockSearch = SearchOf<typeof lockSearch>;
