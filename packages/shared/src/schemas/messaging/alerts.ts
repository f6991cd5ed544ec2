import { z } from "zod";
import { AlertKind } from "../../enums.ts";
import * as f from "../fields.ts";

export const alertsInput = z.object({
  /** only open ones, or all */
  state: z.enum(["open", "all"]).default("open"),
  kind: AlertKind.optional(),
  ...f.page,
});
export const alertRow = z.object({
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
export type AlertRow = z.infer<typeof alertRow>;
export const alertPage = z.object({ rows: z.array(alertRow), total: z.int(), unread: z.int() });
export const unreadAlerts = z.object({ unread: z.int() });
/** null: all that are open */
export const readAlertsInput = z.object({ ids: z.array(f.id).min(1).max(200).nullable() });
export const deleteAlertsInput = z.object({ ids: z.array(f.id).min(1).max(200) });
export const alertsChanged = z.object({ changed: z.int() });
