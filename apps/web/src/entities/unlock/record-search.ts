import { UNLOCK_STYLES } from "@innkey/shared/words";
import * as z from "zod/mini";
import { anyText, instant, localDate, oneOf, whole } from "@/lib/search-params.ts";

export const RECORD_RANGES = ["today", "yesterday", "week", "all"] as const;
export type RecordRange = (typeof RECORD_RANGES)[number];

export const RECORD_RESULTS = ["opened", "refused"] as const;

/** A quick range, or the instants `from` and `to`, which take precedence. */
export const periodParams = { range: oneOf(RECORD_RANGES), from: instant, to: instant };

/** Filters of a list of door records. */
export const recordParams = {
  ...periodParams,
  style: oneOf(UNLOCK_STYLES),
  result: oneOf(RECORD_RESULTS),
};

/** Period of the traffic chart: the hours of a day, or the days of a month. `day` is a hotel-local date. */
export const trafficParams = { span: oneOf(["day", "month"]), day: localDate };

export const doorSearch = z.object({
  ...recordParams,
  ...trafficParams,
  room: whole(),
  person: whole(),
  q: anyText(100),
});
export type DoorSearch = z.infer<typeof doorSearch>;
export type RecordSearch = Omit<DoorSearch, "room" | "person" | "q">;
