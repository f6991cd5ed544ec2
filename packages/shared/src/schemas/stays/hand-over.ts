import { z } from "zod";
import { MAX_OPEN_NOTES } from "../../limits.ts";
import * as f from "../fields.ts";

/** What one shift tells the next. */
export const handOverNote = z.object({
  id: z.int(),
  text: z.string(),
  /** null: about no room */
  roomName: z.string().nullable(),
  /** null: about no room, or the room was removed */
  roomId: z.int().nullable(),
  /** when somebody must have seen to it */
  dueAt: z.string().nullable(),
  authorName: z.string(),
  createdAt: z.string(),
  doneAt: z.string().nullable(),
  doneByName: z.string().nullable(),
  /** written by somebody else, and not read by the caller yet */
  unread: z.boolean(),
});
export type HandOverNote = z.infer<typeof handOverNote>;

export const handOverNotes = z.object({
  /** those with a time first, the earliest at the top, then the newest */
  open: z.array(handOverNote),
  /** the last ones that were done */
  done: z.array(handOverNote),
});
export type HandOverNotes = z.infer<typeof handOverNotes>;

/** Open notes that the caller has not read, or that are due. */
export const waitingNotes = z.object({ waiting: z.int() });

export const addNoteInput = z.object({
  text: f.requiredText(1000),
  roomId: f.id.nullable().default(null),
  dueAt: f.instant.nullable().default(null),
});
export type AddNoteInput = z.output<typeof addNoteInput>;
export const noteRef = z.object({ id: f.id });
export const setNoteDoneInput = z.object({ id: f.id, done: z.boolean() });
export const readNotesInput = z.object({ ids: z.array(f.id).min(1).max(MAX_OPEN_NOTES) });
export const notesRead = z.object({ changed: z.int() });
