import * as z from "zod/mini";
import { anyText, localDate } from "@/lib/search-params.ts";

/** Date ("YYYY-MM-DD"; today if missing) and search text. */
export const breakfastSearch = z.object({ date: localDate, q: anyText(100) });
export type BreakfastSearch = z.infer<typeof breakfastSearch>;
