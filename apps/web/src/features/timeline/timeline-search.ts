import * as z from "zod/mini";
import { anyText, localDate, oneOf, whole } from "@/lib/search-params.ts";

export const ZOOMS = [3, 5, 7, 14, 31] as const;
export type Zoom = (typeof ZOOMS)[number];

export const TIMELINE_STATUSES = ["vacant", "reserved", "checked_in", "dirty", "maintenance"] as const;

/** The timeline's state in the URL. Without `from`, it starts yesterday. */
export const timelineSearch = z.object({
  from: localDate,
  days: oneOf(ZOOMS),
  group: whole(),
  status: oneOf(TIMELINE_STATUSES),
  q: anyText(100),
});

export type TimelineSearch = z.infer<typeof timelineSearch>;
