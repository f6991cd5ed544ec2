import { localDate, type SearchOf, searchOf } from "@/lib/search-params.ts";

/** Without `date`, the page shows the business day that is about to end or has just ended. */
export const nightSearch = searchOf({ date: localDate });
export type NightSearch = SearchOf<typeof nightSearch>;
