import { anyText, localDate, searchOf } from "@/lib/search-params.ts";

/** Date ("YYYY-MM-DD"; today if missing) and search text. */
export const breakfastSearch = searchOf({ date: localDate, q: anyText(100) });
export type BreakfastSearch = ReturnType<typeof breakfastSearch>;
