import { localDate, oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";

/** Without `span`, the statement is by days; without `date`, it shows the current month or year. */
export const balanceSearch = searchOf({ span: oneOf(["month"]), date: localDate });
export type BalanceSearch = SearchOf<typeof balanceSearch>;
