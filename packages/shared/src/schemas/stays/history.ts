import { z } from "zod";
import * as f from "../fields.ts";

/** Check-ins and check-outs; a period selects the stays that began or ended in it. */
export const historyInput = z.object({
  keyword: f.text(100).default(""),
  roomId: f.id.optional(),
  from: f.instant.optional(),
  to: f.instant.optional(),
  cursor: z.string().max(60).optional(),
  limit: z.int().min(1).max(100).default(20),
});
/** The same input with page numbers instead of a cursor. */
export const numberedHistoryInput = historyInput.omit({ cursor: true, limit: true }).extend(f.page);
export type HistoryInput = z.output<typeof historyInput>;
export const historyRow = z.object({
  stayId: z.int(),
  /** id of the primary guest's part in this stay */
  stayGuestId: z.int(),
  guestName: z.string(),
  /** number of other guests in the party */
  otherGuests: z.int(),
  /** every room of the stay, in order */
  rooms: z.array(z.string()),
  checkedInAt: z.string(),
  checkedOutAt: z.string().nullable(),
  /** null if no staff member is recorded */
  checkedInBy: z.string().nullable(),
  checkedOutBy: z.string().nullable(),
  /** whether the guest did it on their own page */
  checkedInByGuest: z.boolean(),
  checkedOutByGuest: z.boolean(),
});
export type HistoryRow = z.infer<typeof historyRow>;
export const historyOutput = z.object({ rows: z.array(historyRow), nextCursor: z.string().nullable() });
export type HistoryOutput = z.infer<typeof historyOutput>;
