import * as z from "zod/mini";
import { localDate, oneOf } from "@/lib/search-params.ts";

/** Without `span`, the statement is by days; without `date`, it shows the current month or year. */
export const balanceSearch = z.object({ span: oneOf(["month"]), date: localDate });
export type BalanceSearch = z.infer<typeof balanceSearch>;
