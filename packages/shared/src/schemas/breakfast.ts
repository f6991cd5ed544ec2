import { z } from "zod";
import * as f from "./fields.ts";

/** The breakfast of a hotel-local date; without one, today's. */
export const breakfastInput = z.object({ date: f.localDateField.optional() });

/** A guest who has breakfast: in the house, gone on that day, or expected to have arrived by then. */
export const breakfastGuest = z.object({
  manageId: z.int(),
  stayId: z.int(),
  roomId: z.int(),
  roomName: z.string(),
  name: z.string(),
  state: z.enum(["in", "out", "expected"]),
  usedAt: z.string().nullable(),
  /** who ticked */
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
  /** by room, each party together */
  guests: z.array(breakfastGuest),
});
export type BreakfastDay = z.infer<typeof breakfastDay>;

export const breakfastTick = z.object({
  date: f.localDateField,
  manageIds: z.array(f.id).min(1, f.v.required).max(50),
  used: z.boolean(),
});
export type BreakfastTick = z.infer<typeof breakfastTick>;
export const breakfastTicked = z.object({ changed: z.int() });

/** A room card held to the reader: its party eats now. */
export const breakfastCard = z.object({ number: f.requiredText(40) });
export const breakfastOfCard = z.object({
  /** null: nobody in the house holds this card */
  roomName: z.string().nullable(),
  /** guests of the party who have breakfast today; 0: none */
  party: z.int(),
  /** of those, ticked by this card */
  ticked: z.int(),
});
