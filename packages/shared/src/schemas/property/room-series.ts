import { z } from "zod";
import { readRoomSeries } from "../../room-series.ts";
import * as f from "../fields.ts";

/** Many rooms at once, named by their numbers, all in one group and at one price. */
export const roomSeriesInput = z.object({
  /** "101–120, 201–220" */
  numbers: f.requiredText(500).superRefine((text, context) => {
    const { rooms, problem } = readRoomSeries(text);
    if (problem) {
      context.addIssue({ code: "custom", message: `validation.${problem.key}`, params: problem.params });
    } else if (text !== "" && rooms.length === 0) context.addIssue({ code: "custom", message: f.v.required });
  }),
  /** name of a group, which is created if there is none with it; empty: no group */
  group: f.text(60).default(""),
  /** Prices are set if a usual one is given; a missing weekend price is the same as the usual one. */
  prices: z
    .object({ usualMinor: f.priceMinor.nullable(), weekendMinor: f.priceMinor.nullable() })
    .default({ usualMinor: null, weekendMinor: null })
    .superRefine(({ usualMinor, weekendMinor }, context) => {
      if (usualMinor === null && weekendMinor !== null)
        context.addIssue({ code: "custom", path: ["usualMinor"], message: f.v.required });
    }),
});
export type RoomSeriesInput = z.infer<typeof roomSeriesInput>;
export const roomSeriesCreated = z.object({ created: z.int() });
