import * as z from "zod/mini";
import { oneOf } from "@/lib/search-params.ts";

export const TODAY_LISTS = ["arrivals", "departures", "inHouse"] as const;
export type TodayList = (typeof TODAY_LISTS)[number];

/** The list that is shown, in the URL. */
export const todaySearch = z.object({ list: oneOf(TODAY_LISTS) });
export type TodaySearch = z.infer<typeof todaySearch>;
