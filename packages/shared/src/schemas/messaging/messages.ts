import { z } from "zod";
import { LockCommandState } from "../../enums.ts";
import * as f from "../fields.ts";

/** One text for the displays of all locks; an empty text clears them. */
export const hotelNoticeInput = z.object({
  to: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("all") }),
    z.object({ kind: z.literal("groups"), groupIds: z.array(f.id).min(1, f.v.required).max(200) }),
    z.object({ kind: z.literal("rooms"), roomIds: z.array(f.id).min(1, f.v.required).max(500) }),
  ]),
  text: f.text(200),
});
export type HotelNoticeInput = z.infer<typeof hotelNoticeInput>;

export const NOTICE_REFUSALS = ["no_lock", "no_display", "not_set_up"] as const;

export const hotelNoticeResult = z.object({
  told: z.int(),
  cannot: z.array(z.object({ roomId: z.int(), roomName: z.string(), reason: z.enum(NOTICE_REFUSALS) })),
});
export type HotelNoticeResult = z.infer<typeof hotelNoticeResult>;

/** The text last sent to the lock of a room, and whether the lock shows it. */
export const noticeState = z.object({
  roomId: z.int(),
  roomName: z.string(),
  groupId: z.int().nullable(),
  /** stored with the room; empty: no text */
  text: z.string(),
  /** null: its lock can show it */
  cannot: z.enum(NOTICE_REFUSALS).nullable(),
  online: z.boolean(),
  /** state of the last command; null: none within the period for which commands are stored */
  state: LockCommandState.nullable(),
  at: z.string().nullable(),
  /** a LockErrorCode or "" */
  error: z.string(),
  nextTryAt: z.string().nullable(),
});
export type NoticeState = z.infer<typeof noticeState>;
export const noticeStates = z.array(noticeState);

export const outboxRow = z.object({
  id: z.string(),
  channel: z.enum(["sms", "mail"]),
  recipient: z.string(),
  subject: z.string(),
  body: z.string(),
  state: z.enum(["queued", "sent", "failed"]),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  lastError: z.string(),
});
export const outboxListOutput = z.object({ rows: z.array(outboxRow), embedded: z.boolean() });
