import { ORDER_TYPES } from "@innkey/shared/words";
import { listParams } from "@/components/table/list-search.ts";
import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { QUICK_RANGES } from "../guests/guest-search.ts";

export const orderSearch = searchOf({ ...listParams, type: oneOf(ORDER_TYPES), range: oneOf(QUICK_RANGES) });
export type OrderSearch = SearchOf<typeof orderSearch>;
