import { z } from "zod";
import { MAX_ROOMS_PER_CALL } from "../../limits.ts";
import * as f from "../fields.ts";
import { pricesInput } from "./rooms.ts";

export const templateRef = z.object({ templateId: f.id });

/** A named set of prices; `id` selects the template to change. Rooms that already received its prices keep them. */
export const templateInput = z.object({ id: f.id.optional(), name: f.requiredText(60), prices: pricesInput });
export type TemplateInput = z.infer<typeof templateInput>;

const roomRef = z.object({ id: z.int(), name: z.string() });

export const templateRow = z.object({
  id: z.int(),
  name: z.string(),
  depositMinor: z.int(),
  usualMinor: z.int(),
  weekendMinor: z.int(),
  /** number of dates with their own price, from today on */
  dateCount: z.int(),
  rooms: z.array(roomRef),
});
export const templateRows = z.array(templateRow);
export type TemplateRow = z.infer<typeof templateRow>;

export const templateInfo = z.object({
  id: z.int(),
  name: z.string(),
  prices: pricesInput,
  rooms: z.array(roomRef),
});
export type TemplateInfo = z.infer<typeof templateInfo>;

/** The template that a room's prices came from; `same` while both still have the same prices. */
export const templateOfRoom = z.object({ id: z.int(), name: z.string(), same: z.boolean() }).nullable();

/** Rooms that receive a template's prices; each call is one write. */
export const templateRooms = z.object({
  templateId: f.id,
  roomIds: z.array(f.id).min(1, f.v.required).max(MAX_ROOMS_PER_CALL),
});
export type TemplateRooms = z.infer<typeof templateRooms>;

/** Prices with the number of dates instead of the dates. */
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
      /** number of dates whose own price is added, removed or changed */
      datesChanged: z.int(),
      changes: z.boolean(),
    }),
  ),
});
export type TemplatePreview = z.infer<typeof templatePreview>;

export const templateApplied = z.object({ updated: z.int(), unchanged: z.int() });
