import * as z from "zod/mini";
import { anyText, oneOf, whole } from "@/lib/search-params.ts";

/** Filters of the board: a room status, or rooms that need action at the desk today. */
export const BOARD_FILTERS = [
  "vacant",
  "reserved",
  "checked_in",
  "dirty",
  "maintenance",
  "arriving",
  "leaving",
  "overdue",
] as const;
export type BoardFilter = (typeof BOARD_FILTERS)[number];

export const BOARD_SORTS = ["default", "az", "za", "order", "reverse"] as const;
export type BoardSort = (typeof BOARD_SORTS)[number];

/** The board's state in the URL. `q` also accepts a bare number, which a person may type by hand. */
export const boardSearch = z.object({
  status: oneOf(BOARD_FILTERS),
  group: whole(),
  sort: oneOf(BOARD_SORTS),
  view: oneOf(["cards", "table"]),
  q: anyText(100),
});

export type BoardSearch = z.infer<typeof boardSearch>;
