import { z } from "zod";
import * as f from "../fields.ts";

/** The breakfast of a hotel-local date; defaults to today. */
export const breakfastInput = z.object({ date: f.localDateField.optional() });

/** A guest who has breakfast: checked in, checked out on that day, or expected to have arrived by then. */
export const breakfastGuest = z.object({
  stayGuestId: z.int(),
  stayId: z.int(),
  roomId: z.int(),
  roomName: z.string(),
  name: z.string(),
  state: z.enum(["in", "out", "expected"]),
  usedAt: z.string().nullable(),
  /** staff member who ticked the guest off */
  operatorName: z.string().nullable(),
});
export type BreakfastGuest = z.infer<typeof breakfastGuest>;

export const breakfastDay = z.object({
  date: z.string(),
  today: z.string(),
  /** "HH:mm", hotel-local */
  from: z.string(),
  to: z.string(),
  /** per person; 0: included */
  priceMinor: z.int(),
  /** sorted by room, members of a party together */
  guests: z.array(breakfastGuest),
});
export type BreakfastDay = z.infer<typeof breakfastDay>;

export const breakfastTick = z.object({
  date: f.localDateField,
  stayGuestIds: z.array(f.id).min(1, f.v.required).max(50),
  used: z.boolean(),
});
export type BreakfastTick = z.infer<typeof breakfastTick>;
export const breakfastTicked = z.object({ changed: z.int() });

/** A room card presented to the reader, which ticks its party off. */
export const breakfastCard = z.object({ number: f.requiredText(40) });
export const breakfastOfCard = z.object({
  /** null: no checked-in guest has this card */
  roomName: z.string().nullable(),
  /** number of guests of the party who have breakfast today */
  party: z.int(),
  /** number of those that this card ticked off */
  ticked: z.int(),
});
