import { z } from "zod";
import { StoredOpeningReason, UnlockReason, UnlockStyle } from "../../enums.ts";
import * as f from "../fields.ts";

const filters = {
  /** `from` is inclusive, `to` exclusive */
  from: f.instant.optional(),
  to: f.instant.optional(),
  style: UnlockStyle.optional(),
  success: z.boolean().optional(),
  cursor: z.string().max(60).optional(),
  limit: z.int().min(1).max(100).default(20),
};

export const unlockRecordsInput = z.object({ roomId: f.id, ...filters });
/** Door records of one guest's keys, in all rooms that the caller may see. */
export const personRecordsInput = z.object({ stayGuestId: f.id, ...filters });
export const lockRecordsInput = z.object({ lockId: f.id, ...filters });
/** Records of all the hotel's doors, newest first. */
export const hotelRecordsInput = z.object({
  ...filters,
  /** a person, a room or a card number; the newest hundred people and keys that it fits are searched for */
  keyword: f.text(100).default(""),
});
/** The same by page, for a room or a guest. */
export const numberedRecordsInput = hotelRecordsInput
  .omit({ limit: true, keyword: true })
  .extend({ of: z.union([z.object({ roomId: f.id }), z.object({ stayGuestId: f.id })]), ...f.page });

export const unlockRecord = z.object({
  id: z.string(),
  at: z.string(),
  style: UnlockStyle,
  success: z.boolean(),
  /** "" or an UnlockReason */
  reason: UnlockReason.or(z.literal("")),
  content: z.string(),
  source: z.string(),
  operatorName: z.string().nullable(),
  guestName: z.string().nullable(),
  stayGuestId: z.int().nullable(),
  /** note of the staff card or master key card, or name on the passcode or face */
  holder: z.string().nullable(),
  /** label on the envelope of the spare card, e.g. 301/2; null: another key */
  spareCard: z.string().nullable(),
  roomId: z.int().nullable(),
  roomName: z.string().nullable(),
  /** why staff opened the door of an occupied room, with their own words */
  openingReason: StoredOpeningReason.nullable(),
  openingNote: z.string(),
});
export type UnlockRecordsInput = z.infer<typeof unlockRecordsInput>;
export type UnlockRecord = z.infer<typeof unlockRecord>;
export const unlockRecordsOutput = z.object({ records: z.array(unlockRecord), nextCursor: z.string().nullable() });
export type UnlockRecordsOutput = z.infer<typeof unlockRecordsOutput>;

/** Door traffic by hotel-local hours of one day, or days of one month; `room` null covers the whole hotel. */
export const trafficInput = z.object({
  roomId: f.id.nullable().default(null),
  /** hotel-local date: the day itself, or any day of the month */
  date: f.localDateField,
  span: z.enum(["day", "month"]),
});
export const traffic = z.object({
  buckets: z.array(
    z.object({
      /** hour 0–23 (of a day with 25 hours the repeated one counts twice), or day 1–31 */
      bucket: z.int(),
      opened: z.int(),
      refused: z.int(),
    }),
  ),
});
export type Traffic = z.infer<typeof traffic>;

/** Entries into the rooms of a stay during the stay, and openings of common doors with its keys. */
export const whoEnteredInput = z.object({ stayId: f.id });
/** party: keys of this stay; staff: the hotel's cards and buttons; other: a key that was granted to someone else */
export const EntryKind = z.enum([
  "party",
  "staff",
  "emergency",
  "spare",
  "remote",
  "key",
  "inside",
  "other",
  "unknown",
]);
export type EntryKind = z.infer<typeof EntryKind>;
export const roomEntry = z.object({
  id: z.string(),
  at: z.string(),
  who: EntryKind,
  style: UnlockStyle,
  /** person of the party, or the staff member if the reader may see staff */
  name: z.string().nullable(),
  /** why staff opened the door remotely; their own words only if the reader may see staff */
  openingReason: StoredOpeningReason.nullable(),
  openingNote: z.string(),
});
export const whoEntered = z.object({
  stayId: z.int(),
  stayGuestId: z.int(),
  guestName: z.string(),
  /** in the order in which the party had them */
  rooms: z.array(
    z.object({
      roomId: z.int(),
      roomName: z.string(),
      from: z.string(),
      /** null: the party still has the room */
      to: z.string().nullable(),
      hasLock: z.boolean(),
      refused: z.int(),
      /** newest first, at most MAX_ENTRIES */
      entries: z.array(roomEntry),
      more: z.boolean(),
    }),
  ),
  /** common doors that the keys of the stay opened meanwhile, by name; nobody else's openings are listed */
  doors: z.array(
    z.object({
      doorId: z.int(),
      doorName: z.string(),
      /** names of the zones that the door is in */
      zones: z.array(z.string()),
      /** newest first, at most MAX_ENTRIES over all doors */
      entries: z.array(roomEntry),
    }),
  ),
  /** more openings of common doors than these */
  moreAtDoors: z.boolean(),
});
export type WhoEntered = z.infer<typeof whoEntered>;
