import { z } from "zod";
import * as f from "../fields.ts";

export const makeCalendarFeedInput = z.object({
  /** who reads it */
  name: f.requiredText(80),
  /** null: all rooms */
  roomId: f.id.nullable(),
  /** Whether the guests' names are in it */
  showsNames: z.boolean(),
});
/** Path of the calendar, with its secret, which can't be shown again. */
export const calendarFeedMade = z.object({ id: z.int(), path: z.string() });
export const calendarFeedRef = z.object({ id: f.id });
export const calendarFeedRow = z.object({
  id: z.int(),
  name: z.string(),
  roomId: z.int().nullable(),
  roomName: z.string().nullable(),
  showsNames: z.boolean(),
  /** ended: its room was removed */
  state: z.enum(["live", "ended", "revoked"]),
  /** when a program last read it */
  lastReadAt: z.string().nullable(),
  createdAt: z.string(),
  operatorName: z.string().nullable(),
});
export type CalendarFeedRow = z.infer<typeof calendarFeedRow>;
