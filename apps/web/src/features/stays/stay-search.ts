import * as z from "zod/mini";
import { periodParams } from "@/entities/unlock/record-search.ts";
import { anyText, localDate, whole } from "@/lib/search-params.ts";

/** Date ("YYYY-MM-DD"; today if missing) and search text. */
export const breakfastSearch = z.object({ date: localDate, q: anyText(100) });
export type BreakfastSearch = z.infer<typeof breakfastSearch>;

export const historySearch = z.object({ q: anyText(100), room: whole(), ...periodParams });
export type HistorySearch = z.infer<typeof historySearch>;
