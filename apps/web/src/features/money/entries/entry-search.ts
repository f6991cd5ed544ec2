import { ORDER_TYPES } from "@innkey/shared/words";
import * as z from "zod/mini";
import { localDate, oneOf, QUICK_RANGES } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

/** `day` is one hotel-local day and replaces a range. */
export const entrySearch = z.object({
  ...listParams,
  type: oneOf(ORDER_TYPES),
  range: oneOf(QUICK_RANGES),
  day: localDate,
});
export type EntrySearch = z.infer<typeof entrySearch>;
