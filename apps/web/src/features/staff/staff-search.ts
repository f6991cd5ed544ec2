import * as z from "zod/mini";
import { oneOf } from "@/lib/search-params.ts";

export const STAFF_TABS = ["people", "permissions", "rooms"] as const;
export type StaffTab = (typeof STAFF_TABS)[number];

export const staffSearch = z.object({ tab: oneOf(STAFF_TABS) });
