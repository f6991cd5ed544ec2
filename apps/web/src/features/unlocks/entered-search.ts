import { searchOf, whole } from "@/lib/search-params.ts";

export const enteredSearch = searchOf({ stay: whole() });
