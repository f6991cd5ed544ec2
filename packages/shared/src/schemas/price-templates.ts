import { z } from "zod";
import * as f from "./fields.ts";
import { pricesInput } from "./rooms.ts";

export const templateRef = z.object({ templateId: f.id });

/** Prices kept under a name; with `id` the ones that are changed. Rooms that have them keep what they were given. */
export const templateInput = z.object({ id: f.id.optional(), name: f.requiredText(60), prices: pricesInput });
export type TemplateInput = z.infer<typeof templateInput>;

const namedRoom = z.object({ id: z.int(), name: z.string() });

export const templateRow = z.object({
  id: z.int(),
  name: z.string(),
  depositMinor: z.int(),
  usualMinor: z.int(),
  weekendMinor: z.int(),
  /** nights with a price of their own, from today on */
  dateCount: z.int(),
  rooms: z.array(namedRoom),
});
export const templateRows = z.array(templateRow);
export type TemplateRow = z.infer<typeof templateRow>;

export const templateInfo = z.object({
  id: z.int(),
  name: z.string(),
  prices: pricesInput,
  rooms: z.array(namedRoom),
});
export type TemplateInfo = z.infer<typeof templateInfo>;

/** Which template a room's prices came from; `same` as long as both say the same. */
export const templateOfRoom = z.object({ id: z.int(), name: z.string(), same: z.boolean() }).nullable();

/** Rooms that are to have a template's prices: one write each call. */
export const templateRooms = z.object({ templateId: f.id, roomIds: z.array(f.id).min(1, f.v.required).max(500) });
export type TemplateRooms = z.infer<typeof templateRooms>;

/** Prices without their dates: how many dates there are stands beside them. */
const plainPrices = pricesInput.omit({ dates: true }).extend({ dateCount: z.int() });
export type PlainPrices = z.infer<typeof plainPrices>;

export const templatePreview = z.object({
  after: plainPrices,
  rooms: z.array(
    z.object({
      roomId: z.int(),
      roomName: z.string(),
      /** null: the room has no prices yet */
      before: plainPrices.nullable(),
      /** nights whose own price comes, goes or changes */
      datesChanged: z.int(),
      changes: z.boolean(),
    }),
  ),
});
export type TemplatePreview = z.infer<typeof templatePreview>;

export const templateApplied = z.object({ updated: z.int(), unchanged: z.int() });
