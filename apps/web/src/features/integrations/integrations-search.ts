import { DELIVERY_STATES } from "@innkey/shared/webhook-events";
import * as z from "zod/mini";
import { oneOf, whole } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const INTEGRATION_TABS = ["keys", "webhooks", "calendars", "deliveries"] as const;

export const integrationsSearch = z.object({
  ...listParams,
  tab: oneOf(INTEGRATION_TABS),
  webhook: whole(),
  state: oneOf(DELIVERY_STATES),
});
export type IntegrationsSearch = z.infer<typeof integrationsSearch>;
