import { GUEST_STATES } from "@innkey/shared/words";
import * as z from "zod/mini";
import { DAY_RANGES, localDate, oneOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

/** What has to lie in the chosen days: any part of the stay, its arrival or its departure. */
export const PERIOD_PARTS = ["stay", "arrival", "departure"] as const;

export const guestSearch = z.object({
  ...listParams,
  state: oneOf([...GUEST_STATES, "all"]),
  range: oneOf([...DAY_RANGES, "custom"]),
  from: localDate,
  to: localDate,
  by: oneOf(PERIOD_PARTS),
});
export type GuestSearch = z.infer<typeof guestSearch>;

export const CUSTOMER_KINDS = ["person", "company"] as const;
export const CUSTOMER_STATES = ["active", "frozen"] as const;

export const customerSearch = z.object({
  ...listParams,
  kind: oneOf(CUSTOMER_KINDS),
  state: oneOf(CUSTOMER_STATES),
});
export type CustomerSearch = z.infer<typeof customerSearch>;
