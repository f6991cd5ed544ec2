import * as z from "zod/mini";
import { recordParams, trafficParams } from "@/entities/unlock/record-search.ts";
import { oneOf } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const ROOM_TABS = ["tenants", "codes", "unlocks", "settings", "prices", "status"] as const;
export type RoomTab = (typeof ROOM_TABS)[number];

/** State of a room's page in the URL: the tab and the filters of its lists. */
export const roomSearch = z.object({
  ...listParams,
  tab: oneOf(ROOM_TABS),
  ...recordParams,
  ...trafficParams,
});

export type RoomSearch = z.infer<typeof roomSearch>;
