import { CARD_FILTERS } from "@innkey/shared/words";
import * as z from "zod/mini";
import { oneOf, whole } from "@/lib/search-params.ts";
import { listParams } from "@/ui/table/list-search.ts";

export const cardSearch = z.object({ ...listParams, show: oneOf(CARD_FILTERS) });
export type CardSearch = z.infer<typeof cardSearch>;

/**
 * `card` is the card whose doors are being chosen. Without it, the doors are chosen for a card that is still to be
 * written.
 */
export const roomChoiceSearch = z.object({ card: whole() });

export const stationSearch = z.object({ room: whole() });
