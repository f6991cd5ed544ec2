import { oneOf, searchOf } from "@/lib/search-params.ts";

export const IMPORT_TABS = ["rooms", "guests", "customers"] as const;

export const importSearch = searchOf({ kind: oneOf(IMPORT_TABS) });
