import { localDate, oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";

/** `span` left out: by days; `date` left out: the present month or year. */
export const balanceSearch = searchOf({ span: oneOf(["month"]), date: localDate });
export type BalanceSearch = SearchOf<typeof balanceSearch>;
