import { z } from "zod";
import { HOUR_MS } from "../../durations.ts";
import { StayUnit } from "../../enums.ts";
import * as f from "../fields.ts";
import { checkPeriod } from "./stays.ts";

/** Longest period for which free rooms are listed, because each of them is priced night by night. */
export const MAX_FIND_DAYS = 400;

export const findRoomsInput = z
  .object({
    unit: StayUnit,
    startsAt: f.instant,
    endsAt: f.instant,
    /** the party moves in now, so nobody may be in the room, not even a guest who should have left */
    arrives: z.boolean().default(false),
  })
  .superRefine((input, ctx) => {
    checkPeriod(input, ctx);
    if (Date.parse(input.endsAt) - Date.parse(input.startsAt) > MAX_FIND_DAYS * 24 * HOUR_MS) {
      ctx.addIssue({ code: "custom", message: f.v.stayTooLong, path: ["endsAt"] });
    }
  });

/** Rooms that a stay could move to; a period or unit that is left out is the stay's own. */
export const findRoomsForStayInput = z.object({
  stayId: f.id,
  startsAt: f.instant.optional(),
  endsAt: f.instant.optional(),
  unit: StayUnit.optional(),
  /** the party of a reservation moves in now */
  arrives: z.boolean().default(false),
});

export const freeRoom = z.object({
  roomId: z.int(),
  name: z.string(),
  remarkName: z.string(),
  dirty: z.boolean(),
  /**
   * what the whole stay costs there, or what an existing stay would pay (negative: gets back) for moving there; null:
   * the room has no price for it
   */
  priceMinor: z.int().nullable(),
  /** when the room is taken next after the period; null: no booking follows */
  freeUntil: z.string().nullable(),
});
export type FreeRoom = z.infer<typeof freeRoom>;

/** Free rooms by group, with how many rooms each group has. Rooms without a group are a group without id and name. */
export const freeRoomGroup = z.object({
  groupId: z.int().nullable(),
  name: z.string(),
  roomCount: z.int(),
  rooms: z.array(freeRoom),
});
export type FreeRoomGroup = z.infer<typeof freeRoomGroup>;
export const freeRoomsOutput = z.object({
  groups: z.array(freeRoomGroup),
  /** whether the stay's own room is free for the period; null: not asked for a stay */
  ownRoomFree: z.boolean().nullable(),
});
export type FreeRooms = z.infer<typeof freeRoomsOutput>;
