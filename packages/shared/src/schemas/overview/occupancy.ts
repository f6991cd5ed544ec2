import { z } from "zod";
import { daysBetween } from "../../hotel-time.ts";
import { OCCUPANCY_SPANS } from "../../words.ts";
import * as f from "../fields.ts";

export const MAX_OCCUPANCY_DAYS = 731;

/** Nights from `from` to `to`, both included; without them, the current month. */
export const occupancyInput = z
  .object({
    from: f.localDateField.optional(),
    to: f.localDateField.optional(),
    by: z.enum(OCCUPANCY_SPANS).default("day"),
  })
  .superRefine(({ from, to }, ctx) => {
    if (!from || !to) return;
    const days = daysBetween(from, to) + 1;
    if (days < 1) ctx.addIssue({ code: "custom", message: f.v.endBeforeStart, path: ["to"] });
    if (days > MAX_OCCUPANCY_DAYS) ctx.addIssue({ code: "custom", message: f.v.stayTooLong, path: ["to"] });
  });
export type OccupancyInput = z.infer<typeof occupancyInput>;

export const occupancyRow = z.object({
  /** first and last night */
  from: z.string(),
  to: z.string(),
  rooms: z.int(),
  sold: z.int(),
  revenueMinor: z.int(),
});
export type OccupancyRow = z.infer<typeof occupancyRow>;
export const occupancyOutput = z.object({ from: z.string(), to: z.string(), rows: z.array(occupancyRow) });
