import * as z from "zod/mini";
import { oneOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const CUSTOMER_KINDS = ["person", "company"] as const;
export const CUSTOMER_STATES = ["active", "frozen"] as const;

export const customerSearch = z.object({
  ...listParams,
  kind: oneOf(CUSTOMER_KINDS),
  state: oneOf(CUSTOMER_STATES),
});
export type CustomerSearch = z.infer<typeof customerSearch>;
