import { z } from "zod";
import { HOUR_FORMATS } from "../../hour-format.ts";
import { retentionDays } from "../compliance.ts";
import * as f from "../fields.ts";

/** Who has to log in with a second factor. */
export const TwoStepPolicy = z.enum(["optional", "administrators", "everyone"]);
export type TwoStepPolicy = z.infer<typeof TwoStepPolicy>;

export const hotelInput = z.object({
  name: f.requiredText(120),
  /** name of the business on receipts, if it is another; this and the next two: left out: unchanged */
  legalName: f.text(160).optional(),
  taxNumber: f.text(40).optional(),
  /** a stored picture of kind logo; null: none */
  logoFileId: f.uuid.nullable().optional(),
  address: f.text(300).default(""),
  tel: f.optionalPhone,
  latitude: z.number({ error: f.v.latitude }).min(-90, f.v.latitude).max(90, f.v.latitude).nullable(),
  longitude: z.number({ error: f.v.longitude }).min(-180, f.v.longitude).max(180, f.v.longitude).nullable(),
  timeZone: f.timeZone,
  currency: f.currency,
  /** left out: unchanged */
  hourFormat: z.enum(HOUR_FORMATS).optional(),
  checkInTime: f.timeOfDay,
  checkOutTime: f.timeOfDay,
  dayStartTime: f.timeOfDay,
  weekendNights: z.array(z.int().min(1).max(7)).max(7),
  breakfastFrom: f.timeOfDay,
  breakfastTo: f.timeOfDay,
  breakfastPriceMinor: f.amountMinor,
  /** minutes for which keys and codes work before the planned arrival and after the planned departure */
  accessEarlyMinutes: z.int({ error: f.v.integer }).min(0, f.v.integer).max(1440, f.v.integer).default(0),
  accessLateMinutes: z.int({ error: f.v.integer }).min(0, f.v.integer).max(1440, f.v.integer).default(0),
  wifiName: f.text(64).default(""),
  wifiPassword: f.text(64).default(""),
  notice: f.text(2000).default(""),
  /** days after check-out; null: never deleted; left out: unchanged */
  retentionDays: retentionDays.optional(),
  /** months for which door records are stored; null: for ever; left out: unchanged */
  recordMonths: z.int({ error: f.v.integer }).min(1, f.v.recordMonths).max(240, f.v.recordMonths).nullable().optional(),
  /** left out: unchanged */
  twoStep: TwoStepPolicy.optional(),
  /** whether guests open their room's door on their own page; left out: unchanged */
  guestOpensDoor: z.boolean().optional(),
  /** whether guests ask for a later departure there; left out: unchanged */
  guestAsksLate: z.boolean().optional(),
  /** whether guests check in there if the desk has nothing to decide; left out: unchanged */
  guestChecksIn: z.boolean().optional(),
  /** whether guests check out there if nothing is owed; left out: unchanged */
  guestChecksOut: z.boolean().optional(),
  /** whether guests give their name, birth date and nationality there before they arrive; left out: unchanged */
  guestGivesIdentity: z.boolean().optional(),
  /** and their document's number; left out: unchanged */
  guestGivesDocument: z.boolean().optional(),
  /** and a photo of that document; left out: unchanged */
  guestGivesPhoto: z.boolean().optional(),
  /** and their signature; left out: unchanged */
  guestGivesSignature: z.boolean().optional(),
  /** and the time of their arrival; left out: unchanged */
  guestGivesArrival: z.boolean().optional(),
});
export type HotelInput = z.infer<typeof hotelInput>;
/** A change of some of the hotel's data; fields that are left out stay unchanged. */
export type HotelChange = { [Key in keyof HotelInput]?: HotelInput[Key] | undefined };
/** The hotel's name and place. */
export const hotelLocationInput = hotelInput
  .pick({ name: true, address: true, tel: true, latitude: true, longitude: true })
  .extend({
    timeZone: hotelInput.shape.timeZone.optional(),
    currency: hotelInput.shape.currency.optional(),
    weekendNights: hotelInput.shape.weekendNights.optional(),
  });
/** Information for guests about the hotel. */
export const hotelGuestsInput = z.object({
  checkInTime: f.timeOfDay.optional(),
  checkOutTime: f.timeOfDay.optional(),
  breakfastFrom: f.timeOfDay.optional(),
  breakfastTo: f.timeOfDay.optional(),
  breakfastPriceMinor: f.amountMinor.optional(),
  wifiName: f.text(64).optional(),
  wifiPassword: f.text(64).optional(),
  notice: f.text(2000).optional(),
});
export const hotelOutput = hotelInput.extend({ id: z.int(), roomCount: z.int(), lockCount: z.int() });
export type HotelOutput = z.infer<typeof hotelOutput>;
