import * as z from "zod/mini";
import { periodParams } from "@/entities/unlock/record-search.ts";
import { anyText, whole } from "@/lib/search-params.ts";

/** Filters of the history. */
export const historySearch = z.object({ q: anyText(100), room: whole(), ...periodParams });
export type HistorySearch = z.infer<typeof historySearch>;
