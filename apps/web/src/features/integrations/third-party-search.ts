import { DELIVERY_STATES } from "@innkey/shared/webhook-events";
import { oneOf, type SearchOf, searchOf, whole } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const THIRD_PARTY_TABS = ["keys", "webhooks", "deliveries"] as const;

export const thirdPartySearch = searchOf({
  ...listParams,
  tab: oneOf(THIRD_PARTY_TABS),
  webhook: whole(),
  state: oneOf(DELIVERY_STATES),
});
export type ThirdPartySearch = SearchOf<typeof thirdPartySearch>;
