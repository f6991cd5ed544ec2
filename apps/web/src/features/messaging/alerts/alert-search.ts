import { ALERT_KINDS } from "@innkey/shared/words";
import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const alertSearch = searchOf({ ...listParams, state: oneOf(["all"]), kind: oneOf(ALERT_KINDS) });
export type AlertSearch = SearchOf<typeof alertSearch>;
