import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const ENCODER_FILTERS = ["bound", "free"] as const;
export const encoderSearch = searchOf({ ...listParams, show: oneOf(ENCODER_FILTERS) });
export type EncoderSearch = SearchOf<typeof encoderSearch>;
