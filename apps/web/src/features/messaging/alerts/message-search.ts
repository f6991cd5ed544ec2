import { ALERT_KINDS } from "@innkey/shared/words";
import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const messageSearch = searchOf({ ...listParams, state: oneOf(["all"]), kind: oneOf(ALERT_KINDS) });
export type MessageSearch = SearchOf<typeof messageSearch>;
