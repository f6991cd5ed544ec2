import { listParams } from "@/components/table/list-search.ts";
import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";

export const ENCODER_FILTERS = ["bound", "free"] as const;
export const encoderSearch = searchOf({ ...listParams, show: oneOf(ENCODER_FILTERS) });
export type EncoderSearch = SearchOf<typeof encoderSearch>;
