import { UnlockStyle } from "@innkey/shared/enums";
import { z } from "zod";
import { listSearch } from "@/components/table/list-search.ts";

export const ROOM_TABS = ["tenants", "unlocks", "settings", "prices", "status"] as const;
export type RoomTab = (typeof ROOM_TABS)[number];

export const UNLOCK_RANGES = ["today", "yesterday", "week", "all"] as const;
export type UnlockRange = (typeof UNLOCK_RANGES)[number];

/** A room's page as it stands in the URL: the tab, and what its lists are narrowed to. */
export const roomSearch = listSearch.extend({
  tab: z.enum(ROOM_TABS).optional().catch(undefined),
  range: z.enum(UNLOCK_RANGES).optional().catch(undefined),
  style: UnlockStyle.optional().catch(undefined),
});

export type RoomSearch = z.infer<typeof roomSearch>;
