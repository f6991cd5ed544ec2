import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const CARD_READER_FILTERS = ["bound", "free"] as const;
export const cardReaderSearch = searchOf({ ...listParams, show: oneOf(CARD_READER_FILTERS) });
export type CardReaderSearch = SearchOf<typeof cardReaderSearch>;
