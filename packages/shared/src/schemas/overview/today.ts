import { z } from "zod";

/** How a guest's key stands: `again` must be written again; `no_lock`: the room has no lock. */
export const KEY_STANDINGS = ["none", "written", "again", "no_lock"] as const;

/** Whether the room of an arrival can be moved into. */
export const ROOM_READINESS = ["ready", "dirty", "occupied", "maintenance"] as const;

/** A stay that the desk deals with today: one that still arrives, or one in the house. */
export const todayStay = z.object({
  stayId: z.int(),
  state: z.enum(["reserved", "checked_in"]),
  stayGuestId: z.int(),
  guestName: z.string(),
  guestCount: z.int(),
  roomId: z.int(),
  roomName: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  /** what the stay owes; negative: a credit; null: the caller may not see it */
  owedMinor: z.int().nullable(),
  /** number of guests without an identity document */
  documentsMissing: z.int(),
  /** until when a guest asked on their page to stay; null: nobody asked, or it was answered */
  lateUntil: z.string().nullable(),
  /** guests whose details from their page nobody at the desk has taken over yet */
  preCheckIns: z.int(),
  /** when the party will arrive, as a guest wrote on their page: a time of day */
  arrivalTime: z.string().nullable(),
  /** whether the guest checked in on their own page within the last day */
  checkedInByGuest: z.boolean(),
  /** null: the caller may not see cards */
  key: z.enum(KEY_STANDINGS).nullable(),
  /** null: the guests are in the room already */
  room: z.enum(ROOM_READINESS).nullable(),
});
export type TodayStay = z.infer<typeof todayStay>;

/** By time: planned arrivals of those who are expected, planned departures of those in the house. */
export const todayStays = z.array(todayStay);
