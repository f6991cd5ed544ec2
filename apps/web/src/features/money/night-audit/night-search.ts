import * as z from "zod/mini";
import { localDate } from "@/lib/search-params.ts";

/** Without `date`, the page shows the business day that is about to end or has just ended. */
export const nightSearch = z.object({ date: localDate });
export type NightSearch = z.infer<typeof nightSearch>;
