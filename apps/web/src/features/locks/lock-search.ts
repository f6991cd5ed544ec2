import * as z from "zod/mini";
import { oneOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const LOCK_FILTERS = ["offline", "low", "new", "stopped", "clock", "firmware"] as const;
export type LockFilter = (typeof LOCK_FILTERS)[number];

export const lockSearch = z.object({ ...listParams, show: oneOf(LOCK_FILTERS) });
export type LockSearch = z.infer<typeof lockSearch>;
