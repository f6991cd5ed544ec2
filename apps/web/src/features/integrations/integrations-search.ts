import { DELIVERY_STATES } from "@innkey/shared/webhook-events";
import * as z from "zod/mini";
import { oneOf, whole } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const THIRD_PARTY_TABS = ["keys", "webhooks", "deliveries"] as const;

export const thirdPartySearch = z.object({
  ...listParams,
  tab: oneOf(THIRD_PARTY_TABS),
  webhook: whole(),
  state: oneOf(DELIVERY_STATES),
});
export type ThirdPartySearch = z.infer<typeof thirdPartySearch>;
