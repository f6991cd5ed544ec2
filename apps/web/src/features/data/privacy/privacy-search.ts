import { searchOf, whole } from "@/lib/search-params.ts";

/** A person by number only: names don't belong in addresses. */
export const privacySearch = searchOf({ person: whole() });
