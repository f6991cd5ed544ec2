import { z } from "zod";

/** What is missing of a guest's key: `none`, nothing was written yet; `waiting`, the lock hasn't confirmed it. */
export const KEY_MARKS = ["none", "waiting"] as const;
export type KeyMark = (typeof KEY_MARKS)[number];

/** What the board shows of a stay beside the state of its room. */
export const boardMark = z.object({
  stayId: z.int(),
  roomId: z.int(),
  /** what the stay owes; null: nothing, or the caller may not see it */
  owedMinor: z.int().nullable(),
  /** null: the key is complete, the room has no lock, the guests aren't in the house, or the caller may not see keys */
  key: z.enum(KEY_MARKS).nullable(),
});
export type BoardMark = z.infer<typeof boardMark>;

/** Only stays with a mark. */
export const boardMarks = z.array(boardMark);
