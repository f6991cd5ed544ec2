import { z } from "zod";
import { LockCommandState } from "../enums.ts";
import * as f from "./fields.ts";

/** One text for the displays of locks; an empty one clears them. */
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

/** What the lock of a room was last told to show, and whether it does. */
export const noticeState = z.object({
  roomId: z.int(),
  roomName: z.string(),
  groupId: z.int().nullable(),
  /** kept with the room; empty: nothing */
  text: z.string(),
  /** null: its lock can show it */
  cannot: z.enum(NOTICE_REFUSALS).nullable(),
  online: z.boolean(),
  /** of the last command; null: there was none in the time commands are kept */
  state: LockCommandState.nullable(),
  at: z.string().nullable(),
  /** a LockErrorCode or "" */
  error: z.string(),
  nextTryAt: z.string().nullable(),
});
export type NoticeState = z.infer<typeof noticeState>;
export const noticeStates = z.array(noticeState);
