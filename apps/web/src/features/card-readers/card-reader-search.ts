import * as z from "zod/mini";
import { oneOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const READER_TABS = ["card", "block"] as const;
export type ReaderTab = (typeof READER_TABS)[number];

export const CARD_READER_FILTERS = ["bound", "free"] as const;
export const cardReaderSearch = z.object({ ...listParams, show: oneOf(CARD_READER_FILTERS) });
export type CardReaderSearch = z.infer<typeof cardReaderSearch>;
