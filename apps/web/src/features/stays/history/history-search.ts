import { periodParams } from "@/entities/unlock/record-search.ts";
import { anyText, type SearchOf, searchOf, whole } from "@/lib/search-params.ts";

/** Filters of the history. */
export const historySearch = searchOf({ q: anyText(100), room: whole(), ...periodParams });
export type HistorySearch = SearchOf<typeof historySearch>;
