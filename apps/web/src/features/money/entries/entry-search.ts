import { ORDER_TYPES } from "@innkey/shared/words";
import { localDate, oneOf, QUICK_RANGES, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

/** `day` is one hotel-local day and replaces a range. */
export const entrySearch = searchOf({
  ...listParams,
  type: oneOf(ORDER_TYPES),
  range: oneOf(QUICK_RANGES),
  day: localDate,
});
export type EntrySearch = SearchOf<typeof entrySearch>;
