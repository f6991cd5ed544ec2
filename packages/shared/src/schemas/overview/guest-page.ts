import { z } from "zod";
import { HOUR_FORMATS } from "../../hour-format.ts";
import { LANGUAGES } from "../../languages.ts";
import { guestCheckInState } from "../stays/guest-links.ts";
import { GuestPictureKind } from "../stays/pre-check-in.ts";

const LanguageCode = z.enum(LANGUAGES.map(({ code }) => code));

/** A door code of the guest. */
export const guestPageCode = z.object({
  /** null until the lock has confirmed it */
  code: z.string().nullable(),
  /** The lock has yet to confirm another period; until then the code opens as before. */
  changing: z.boolean(),
  once: z.boolean(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
});
export type GuestPageCode = z.infer<typeof guestPageCode>;

/** A line of the bill. */
export const guestPageEntry = z.object({
  type: z.string(),
  /** what an extra charge is for */
  note: z.string(),
  amountMinor: z.int(),
  at: z.string(),
});

/** What only the guest sees, after they have shown who they are. */
export const guestPageInside = z.object({
  guestName: z.string(),
  /** null until the party has checked in */
  room: z.object({ name: z.string() }).nullable(),
  codes: z.array(guestPageCode),
  /**
   * false: the hotel doesn't allow it, the booking is unconfirmed, the door has no lock or is blocked, or the stay's time is
   * over
   */
  canOpen: z.boolean(),
  /** a block-out card keeps guests' keys out of the room */
  blockedOut: z.boolean(),
  /** whether the guest may ask for a later departure */
  canAskLate: z.boolean(),
  /** until when they asked to stay; null: they didn't ask, or the stay lasts as long by now */
  late: z.object({ until: z.string(), declined: z.boolean() }).nullable(),
  /** whether the guest may check out: the hotel allows it, and nothing is owed by either side */
  canCheckOut: z.boolean(),
  wifi: z.object({ name: z.string(), password: z.string() }).nullable(),
  /** whether the guest may check in here, or what is missing; null: not offered, or the party has arrived */
  checkIn: guestCheckInState.nullable(),
  /** What the hotel asks before the arrival; null: nothing, or the party is in the house */
  preCheckIn: z
    .object({
      asksIdentity: z.boolean(),
      asksDocument: z.boolean(),
      asksArrival: z.boolean(),
      asksPhoto: z.boolean(),
      asksSignature: z.boolean(),
      /** pictures that the guest has sent */
      sentPictures: z.array(GuestPictureKind),
      /** when the guest last sent it */
      sentAt: z.string().nullable(),
      /** Whether the desk has answered; nothing more can be sent. */
      answered: z.boolean(),
    })
    .nullable(),
  /** null for guests other than the one whose name the stay has */
  bill: z
    .object({ entries: z.array(guestPageEntry), chargedMinor: z.int(), owedMinor: z.int(), depositHeldMinor: z.int() })
    .nullable(),
});
export type GuestPageInside = z.infer<typeof guestPageInside>;

/** The page of one guest. Before the proof it contains nothing that isn't on the hotel's own pages, but the dates. */
export const guestPage = z.object({
  hotel: z.object({
    name: z.string(),
    address: z.string(),
    tel: z.string(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    timeZone: z.string(),
    hourFormat: z.enum(HOUR_FORMATS),
    currency: z.string(),
    checkInTime: z.string(),
    checkOutTime: z.string(),
    breakfastFrom: z.string(),
    breakfastTo: z.string(),
    notice: z.string(),
  }),
  /** in which to write to the guest, unless their browser asks for another; before the proof that of the hotel */
  language: LanguageCode,
  stay: z.object({
    state: z.enum(["reserved", "checked_in"]),
    startsAt: z.string(),
    endsAt: z.string(),
    /** booked; before the proof always false */
    breakfast: z.boolean(),
  }),
  /** needed: can be shown. document_needed: with the document alone. impossible: nothing is stored to ask for. locked: too many wrong answers. */
  proof: z.enum(["needed", "document_needed", "impossible", "locked", "done"]),
  inside: guestPageInside.nullable(),
});
export type GuestPage = z.infer<typeof guestPage>;
