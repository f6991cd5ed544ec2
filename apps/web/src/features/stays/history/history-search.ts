import { periodParams } from "@/entities/unlock/record-search.ts";
import { anyText, type SearchOf, searchOf, whole } from "@/lib/search-params.ts";

/** What the history is narrowed to. */
export const historySearch = searchOf({ q: anyText(100), room: whole(), ...periodParams });
export type HistorySearch = SearchOf<typeof historySearch>;
