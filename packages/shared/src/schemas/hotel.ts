import { z } from "zod";
import * as f from "./fields.ts";
import { retentionDays } from "./privacy.ts";

export const hotelInput = z.object({
  name: f.requiredText(120),
  address: f.text(300).default(""),
  tel: f.optionalPhone,
  latitude: z.number({ error: f.v.latitude }).min(-90, f.v.latitude).max(90, f.v.latitude).nullable(),
  longitude: z.number({ error: f.v.longitude }).min(-180, f.v.longitude).max(180, f.v.longitude).nullable(),
  timeZone: f.timeZone,
  currency: f.currency,
  checkInTime: f.timeOfDay,
  checkOutTime: f.timeOfDay,
  dayStartTime: f.timeOfDay,
  weekendNights: z.array(z.int().min(1).max(7)).max(7),
  breakfastFrom: f.timeOfDay,
  breakfastTo: f.timeOfDay,
  breakfastPriceMinor: f.amountMinor,
  /** how long before the planned arrival and after the planned departure keys and codes work, in minutes */
  accessEarlyMinutes: z.int({ error: f.v.integer }).min(0, f.v.integer).max(1440, f.v.integer).default(0),
  accessLateMinutes: z.int({ error: f.v.integer }).min(0, f.v.integer).max(1440, f.v.integer).default(0),
  wifiName: f.text(64).default(""),
  wifiPassword: f.text(64).default(""),
  notice: f.text(2000).default(""),
  /** days after check-out; null: kept; left out: as it was */
  retentionDays: retentionDays.optional(),
});
export type HotelInput = z.infer<typeof hotelInput>;
export const hotelOutput = hotelInput.extend({ id: z.int(), roomCount: z.int(), lockCount: z.int() });
export type HotelOutput = z.infer<typeof hotelOutput>;
