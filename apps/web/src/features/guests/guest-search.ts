import type { GuestState } from "@innkey/shared/schemas/stays";
import { listParams } from "@/components/table/list-search.ts";
import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";

export const QUICK_RANGES = ["today", "yesterday", "week"] as const;
export type QuickRange = (typeof QUICK_RANGES)[number];

export const GUEST_STATES = ["reserved", "in", "expired", "out", "cancelled"] as const satisfies readonly GuestState[];

export const guestSearch = searchOf({ ...listParams, state: oneOf(GUEST_STATES), range: oneOf(QUICK_RANGES) });
export type GuestSearch = SearchOf<typeof guestSearch>;
