import { anyText, oneOf, type SearchOf, searchOf, whole } from "@/lib/search-params.ts";

/** What the board can be narrowed to: a status, or what today asks of the desk. */
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

/** The board's state as it stands in the URL. A bare number, as typed by hand, is a search text too. */
export const boardSearch = searchOf({
  status: oneOf(BOARD_FILTERS),
  group: whole(),
  sort: oneOf(BOARD_SORTS),
  view: oneOf(["cards", "table"]),
  q: anyText(100),
});

export type BoardSearch = SearchOf<typeof boardSearch>;
