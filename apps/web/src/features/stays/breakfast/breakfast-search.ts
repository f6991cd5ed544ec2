import { anyText, localDate, searchOf } from "@/lib/search-params.ts";

/** The morning ("YYYY-MM-DD"; none: today) and what is looked for. */
export const breakfastSearch = searchOf({ date: localDate, q: anyText(100) });
export type BreakfastSearch = ReturnType<typeof breakfastSearch>;
