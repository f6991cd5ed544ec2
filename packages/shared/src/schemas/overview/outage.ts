import { z } from "zod";
import * as f from "../fields.ts";
import { checkPeriod } from "../stays/stays.ts";

/** More acts than this, nobody writes on paper before the server is back. */
export const MAX_PAPER_ROWS = 40;

/** One act that the desk did by hand while the server was off. Times are ISO instants. */
export const paperRow = z.discriminatedUnion("act", [
  z
    .object({
      act: z.literal("check_in"),
      roomId: f.id,
      guestName: f.requiredText(120),
      startsAt: f.instant,
      endsAt: f.instant,
    })
    .superRefine(checkPeriod),
  z.object({ act: z.literal("check_out"), roomId: f.id, at: f.instant }),
  z
    .object({ act: z.literal("change_room"), fromRoomId: f.id, roomId: f.id, at: f.instant })
    .refine(({ fromRoomId, roomId }) => fromRoomId !== roomId, { path: ["roomId"], message: f.v.sameRoom }),
]);
export type PaperRow = z.infer<typeof paperRow>;

export const paperRows = z.object({ rows: z.array(paperRow).max(MAX_PAPER_ROWS) });

/** Why a row can't be applied. */
export const PAPER_CONFLICTS = [
  "room_unknown",
  /** another party is in the room */
  "room_occupied",
  /** an earlier row of the list takes the room */
  "room_in_list",
  /** the room is reserved before the party leaves */
  "room_reserved",
  "room_maintenance",
  /** a party in the house has a guest of that name */
  "guest_in_house",
  "guest_in_list",
  /** a reservation of these days has a guest of that name */
  "guest_expected",
  /** the party has left again */
  "departure_past",
  /** the time is in the future */
  "time_future",
  /** the time is longer ago than an arrival may be */
  "time_old",
  /** nobody is in the room */
  "room_empty",
  /** the party came into the room after that time */
  "before_arrival",
  /** the stay has ended, so it can't move */
  "stay_over",
  /** a key of those who had left opened the door after that time */
  "opened_after",
  /** the lock has not been in contact since, so it is unknown whether a key opened the door */
  "lock_silent",
] as const;

/** What a conflict is about; what does not apply, or the caller may not see, is null. */
export const paperConflict = z.object({
  kind: z.enum(PAPER_CONFLICTS),
  guestName: z.string().nullable(),
  stayGuestId: z.int().nullable(),
  roomId: z.int().nullable(),
  roomName: z.string().nullable(),
  lockId: z.int().nullable(),
  at: z.string().nullable(),
});
export type PaperConflict = z.infer<typeof paperConflict>;

/** For each row in the order of the input, what speaks against it. */
export const checkedRows = z.array(z.array(paperConflict));

/** `stayId`: the stay that the row was applied to; null: it was not applied, because of the conflicts. */
export const rowApplied = z.object({ stayId: z.int().nullable(), conflicts: z.array(paperConflict) });
export type RowApplied = z.infer<typeof rowApplied>;

/** The last time that the server was off, within the last days. */
export const outage = z.object({ from: z.string(), until: z.string() });
export type Outage = z.infer<typeof outage>;
