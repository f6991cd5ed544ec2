import type { GuestState } from "@innkey/shared/schemas/stays/stays";
import { oneOf, QUICK_RANGES, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const GUEST_STATES = ["reserved", "in", "expired", "out", "cancelled"] as const satisfies readonly GuestState[];

export const guestSearch = searchOf({ ...listParams, state: oneOf(GUEST_STATES), range: oneOf(QUICK_RANGES) });
export type GuestSearch = SearchOf<typeof guestSearch>;
