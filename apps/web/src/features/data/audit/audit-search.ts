import * as z from "zod/mini";
import { localDate, oneOf, QUICK_RANGES, text } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const auditSearch = z.object({
  ...listParams,
  action: text(60),
  range: oneOf([...QUICK_RANGES, "custom"]),
  from: localDate,
  to: localDate,
});
export type AuditSearch = z.infer<typeof auditSearch>;
