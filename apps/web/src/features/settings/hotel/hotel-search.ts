import * as z from "zod/mini";
import { oneOf } from "@/lib/search-params.ts";

export const HOTEL_TABS = ["data", "guests", "messages", "notices"] as const;
export type HotelTab = (typeof HOTEL_TABS)[number];

export const hotelSearch = z.object({ tab: oneOf(HOTEL_TABS) });
