import { z } from "zod";
import { DoorKind } from "../../enums.ts";
import { MAX_ROOMS_PER_CALL } from "../../limits.ts";
import * as f from "../fields.ts";

/** Makes a zone, or changes the one with `id`. */
export const zoneInput = z.object({
  id: f.id.optional(),
  name: f.requiredText(60),
  kind: DoorKind,
  /** all guests open it */
  everyGuest: z.boolean().default(false),
  /** it can be added to single stays */
  isExtra: z.boolean().default(false),
  /** guests in rooms of these groups open it */
  groupIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).default([]),
  doorIds: z.array(f.id).max(MAX_ROOMS_PER_CALL).default([]),
});
export type ZoneInput = z.infer<typeof zoneInput>;
export const zoneRef = z.object({ zoneId: f.id });

export const zoneRow = z.object({
  id: z.int(),
  name: z.string(),
  kind: DoorKind,
  everyGuest: z.boolean(),
  isExtra: z.boolean(),
  groups: z.array(z.object({ id: z.int(), name: z.string() })),
  doors: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      /** its lock has confirmed the zone's key; null: it has no lock */
      confirmed: z.boolean().nullable(),
    }),
  ),
  /** names of doors that left, whose locks may still open for the zone's cards until they confirm */
  leaving: z.array(z.string()),
});
export type ZoneRow = z.infer<typeof zoneRow>;
export const zoneRows = z.array(zoneRow);

/** The zones that a stay has as extras; they replace those that it had. */
export const stayZonesInput = z.object({ stayId: f.id, zoneIds: z.array(f.id).max(50) });
export const stayZonesSaved = z.object({ stayId: z.int(), zoneIds: z.array(z.int()) });
