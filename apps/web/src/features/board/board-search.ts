import { z } from "zod";

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
export const boardSearch = z.object({
  status: z.enum(BOARD_FILTERS).optional().catch(undefined),
  group: z.int().positive().optional().catch(undefined),
  sort: z.enum(BOARD_SORTS).optional().catch(undefined),
  view: z.enum(["cards", "table"]).optional().catch(undefined),
  q: z
    .union([z.string().max(100), z.number().transform(String)])
    .optional()
    .catch(undefined),
});

export type BoardSearch = z.infer<typeof boardSearch>;
