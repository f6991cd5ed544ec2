import { MESSAGE_KINDS } from "@innkey/shared/words";
import { listParams } from "@/components/table/list-search.ts";
import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";

export const messageSearch = searchOf({ ...listParams, state: oneOf(["all"]), kind: oneOf(MESSAGE_KINDS) });
export type MessageSearch = SearchOf<typeof messageSearch>;
