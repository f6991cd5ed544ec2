import { FOLIO_ENTRY_TYPES, OCCUPANCY_SPANS } from "@innkey/shared/words";
import * as z from "zod/mini";
import { localDate, oneOf, QUICK_RANGES } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

/** Without `span`, the statement is by days; without `date`, it shows the current month or year. */
export const balanceSearch = z.object({ span: oneOf(["month"]), date: localDate });
export type BalanceSearch = z.infer<typeof balanceSearch>;

/** `day` is one hotel-local day and replaces a range. */
export const entrySearch = z.object({
  ...listParams,
  type: oneOf(FOLIO_ENTRY_TYPES),
  range: oneOf(QUICK_RANGES),
  day: localDate,
});
export type EntrySearch = z.infer<typeof entrySearch>;

/** Without dates, the page shows the current month, by days. */
export const occupancySearch = z.object({ from: localDate, to: localDate, by: oneOf(OCCUPANCY_SPANS) });
export type OccupancySearch = z.infer<typeof occupancySearch>;

/** Without `date`, the page shows the business day that is about to end or has just ended. */
export const nightSearch = z.object({ date: localDate });
export type NightSearch = z.infer<typeof nightSearch>;
