import { z } from "zod";
import { DoorKind, LockDriver } from "../../enums.ts";
import * as f from "../fields.ts";

/** Makes a door that belongs to no room, or changes the one with `id`. */
export const doorInput = z.object({
  id: f.id.optional(),
  name: f.requiredText(60),
  kind: DoorKind,
  /** a lock that is on no door; null: none */
  lockId: f.id.nullable().default(null),
});
export type DoorInput = z.infer<typeof doorInput>;
export const doorRef = z.object({ doorId: f.id });

export const doorRow = z.object({
  id: z.int(),
  name: z.string(),
  kind: DoorKind,
  /** null: it has no lock yet */
  lock: z
    .object({
      id: z.int(),
      mac: z.string(),
      driver: LockDriver,
      online: z.boolean(),
      lastSeenAt: z.string().nullable(),
      /** null: it was never set up */
      configuredAt: z.string().nullable(),
      breakerOpenedAt: z.string().nullable(),
      /** since when a block-out card keeps guests out; null: it doesn't */
      blockedOutAt: z.string().nullable(),
    })
    .nullable(),
  /** names of the zones that it is in */
  zones: z.array(z.string()),
});
export type DoorRow = z.infer<typeof doorRow>;
export const doorRows = z.array(doorRow);
