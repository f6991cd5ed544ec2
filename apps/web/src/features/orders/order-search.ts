import { ORDER_TYPES } from "@innkey/shared/words";
import { listParams } from "@/components/table/list-search.ts";
import { localDate, oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { QUICK_RANGES } from "../guests/guest-search.ts";

/** `day` is one hotel-local day, in place of a range. */
export const orderSearch = searchOf({
  ...listParams,
  type: oneOf(ORDER_TYPES),
  range: oneOf(QUICK_RANGES),
  day: localDate,
});
export type OrderSearch = SearchOf<typeof orderSearch>;
