import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const LOCK_FILTERS = ["offline", "low", "new", "stopped"] as const;
export type LockFilter = (typeof LOCK_FILTERS)[number];

export const lockSearch = searchOf({ ...listParams, show: oneOf(LOCK_FILTERS) });
export type LockSearch = SearchOf<typeof lockSearch>;
