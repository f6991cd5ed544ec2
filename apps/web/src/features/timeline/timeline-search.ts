import { anyText, localDate, oneOf, type SearchOf, searchOf, whole } from "@/lib/search-params.ts";

export const ZOOMS = [3, 5, 7, 14, 31] as const;
export type Zoom = (typeof ZOOMS)[number];

export const TIMELINE_STATUSES = ["vacant", "reserved", "checked_in", "dirty", "maintenance"] as const;

/** The timeline's state in the URL. Without `from`, it starts yesterday. */
export const timelineSearch = searchOf({
  from: localDate,
  days: oneOf(ZOOMS),
  group: whole(),
  status: oneOf(TIMELINE_STATUSES),
  q: anyText(100),
});

export type TimelineSearch = SearchOf<typeof timelineSearch>;
