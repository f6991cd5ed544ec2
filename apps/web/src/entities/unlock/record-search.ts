import { UNLOCK_STYLES } from "@innkey/shared/words";
import { instant, localDate, oneOf, type SearchOf, searchOf, whole } from "@/lib/search-params.ts";

export const RECORD_RANGES = ["today", "yesterday", "week", "all"] as const;
export type RecordRange = (typeof RECORD_RANGES)[number];

export const RECORD_RESULTS = ["opened", "refused"] as const;

/** A range gives way to `from` and `to`, which are instants. */
export const periodParams = { range: oneOf(RECORD_RANGES), from: instant, to: instant };

/** What a list of door records is narrowed to. */
export const recordParams = {
  ...periodParams,
  style: oneOf(UNLOCK_STYLES),
  result: oneOf(RECORD_RESULTS),
};

/** Which hours or days the plot shows; `day` on the hotel's calendar. */
export const trafficParams = { span: oneOf(["day", "month"]), day: localDate };

export const doorSearch = searchOf({ ...recordParams, ...trafficParams, room: whole(), person: whole() });
export type DoorSearch = SearchOf<typeof doorSearch>;
export type RecordSearch = Omit<DoorSearch, "room" | "person">;
