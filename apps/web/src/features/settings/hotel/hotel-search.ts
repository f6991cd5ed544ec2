import { oneOf, searchOf } from "@/lib/search-params.ts";

export const HOTEL_TABS = ["data", "guests", "notices"] as const;
export type HotelTab = (typeof HOTEL_TABS)[number];

export const hotelSearch = searchOf({ tab: oneOf(HOTEL_TABS) });
