import { localDate, type SearchOf, searchOf } from "@/lib/search-params.ts";

/** `date` left out: the business day that ends, or has just ended. */
export const nightSearch = searchOf({ date: localDate });
export type NightSearch = SearchOf<typeof nightSearch>;
