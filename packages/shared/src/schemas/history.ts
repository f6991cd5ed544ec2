import { z } from "zod";
import * as f from "./fields.ts";

/** Check-ins and check-outs; a period asks for stays that began or ended in it. */
export const historyInput = z.object({
  keyword: f.text(100).default(""),
  roomId: f.id.optional(),
  from: f.instant.optional(),
  to: f.instant.optional(),
  cursor: z.string().max(60).optional(),
  limit: z.int().min(1).max(100).default(20),
});
/** The same by pages. */
export const numberedHistoryInput = historyInput.omit({ cursor: true, limit: true }).extend(f.page);
export type HistoryInput = z.output<typeof historyInput>;
export const historyRow = z.object({
  stayId: z.int(),
  /** the main guest's */
  manageId: z.int(),
  guestName: z.string(),
  /** the rest of the party */
  otherGuests: z.int(),
  /** every room they had, in order */
  rooms: z.array(z.string()),
  checkedInAt: z.string(),
  checkedOutAt: z.string().nullable(),
  /** null where nobody is on record */
  checkedInBy: z.string().nullable(),
  checkedOutBy: z.string().nullable(),
});
export type HistoryRow = z.infer<typeof historyRow>;
export const historyOutput = z.object({ rows: z.array(historyRow), nextCursor: z.string().nullable() });
export type HistoryOutput = z.infer<typeof historyOutput>;
