import { z } from "zod";
import { AlertKind } from "../enums.ts";
import * as f from "./fields.ts";

export const messagesInput = z.object({
  /** only open ones, or all */
  state: z.enum(["open", "all"]).default("open"),
  kind: AlertKind.optional(),
  ...f.page,
});
export const messageRow = z.object({
  id: z.int(),
  kind: AlertKind,
  lockId: z.int().nullable(),
  roomId: z.int().nullable(),
  roomName: z.string().nullable(),
  /** values for the text: power (percent), seconds, count, error (a LockErrorCode) … */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  count: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
  readAt: z.string().nullable(),
  resolvedAt: z.string().nullable(),
});
export type MessageRow = z.infer<typeof messageRow>;
export const messagePage = z.object({ rows: z.array(messageRow), total: z.int(), unread: z.int() });
export const unreadMessages = z.object({ unread: z.int() });
/** null: all that are open */
export const readMessagesInput = z.object({ ids: z.array(f.id).min(1).max(200).nullable() });
export const deleteMessagesInput = z.object({ ids: z.array(f.id).min(1).max(200) });
export const messagesChanged = z.object({ changed: z.int() });
