import { UNLOCK_STYLES } from "@innkey/shared/words";
import { listParams } from "@/components/table/list-search.ts";
import { oneOf, type SearchOf, searchOf } from "@/lib/search-params.ts";

export const ROOM_TABS = ["tenants", "unlocks", "settings", "prices", "status"] as const;
export type RoomTab = (typeof ROOM_TABS)[number];

export const UNLOCK_RANGES = ["today", "yesterday", "week", "all"] as const;
export type UnlockRange = (typeof UNLOCK_RANGES)[number];

/** A room's page as it stands in the URL: the tab, and what its lists are narrowed to. */
export const roomSearch = searchOf({
  ...listParams,
  tab: oneOf(ROOM_TABS),
  range: oneOf(UNLOCK_RANGES),
  style: oneOf(UNLOCK_STYLES),
});

export type RoomSearch = SearchOf<typeof roomSearch>;
