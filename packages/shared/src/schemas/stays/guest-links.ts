import { z } from "zod";
import * as f from "../fields.ts";

export const guestLinkInput = z.object({ stayGuestId: f.id });

/** A guest's contact details as somebody saw them, so that nobody confirms others that were entered meanwhile. */
export const guestContacts = z.object({ mobile: z.string().max(40), email: z.string().max(320) });
export const confirmBookingInput = guestLinkInput.extend({ contacts: guestContacts });

/** What the desk sees of a guest's link to their page. The address itself is only in the answer that makes it. */
export const guestLinkState = z.object({
  /** false: this server serves no pages for guests */
  available: z.boolean(),
  /** Whether a document or phone number is stored, by which the guest can show who they are. */
  canProve: z.boolean(),
  /** Somebody entered the guest's address or number who may not give out door codes: messages contain neither code nor link. */
  contactUnconfirmed: z.boolean(),
  /**
   * Somebody booked who may not give out door codes: the guest can't check in or open their door on their page until
   * somebody who may confirms it.
   */
  bookingUnconfirmed: z.boolean(),
  /** null: the guest has none */
  link: z
    .object({
      createdAt: z.string(),
      /** when the page was last opened */
      seenAt: z.string().nullable(),
      /** when somebody last showed that they are the guest */
      provenAt: z.string().nullable(),
      /** browsers in which the guest has shown who they are */
      devices: z.int(),
      /** Too many wrong answers: nobody can show who they are until the desk makes a new link. */
      locked: z.boolean(),
      /** when the page last opened the door */
      openedDoorAt: z.string().nullable(),
      /** until when the guest would like to stay, as long as nobody has answered; null: nothing is asked */
      lateUntil: z.string().nullable(),
    })
    .nullable(),
});
export type GuestLinkState = z.infer<typeof guestLinkState>;

/** The address with its secret, which can't be shown again. */
export const guestLinkMade = z.object({ url: z.string() });
export const bookingConfirmed = z.object({ confirmed: z.boolean() });
export const guestLinkRevoked = z.object({ revoked: z.boolean() });
export const lateDeclined = z.object({ declined: z.boolean() });

/** Secret of a guest's link: 128 random bits as base64url. */
export const guestToken = z.string().max(64);
export const guestTokenInput = z.object({ token: guestToken });
/** The last three characters of the document or phone number. */
export const guestProofInput = z.object({ token: guestToken, answer: z.string().max(20) });
/** wrong: another try is possible. locked: none until the desk makes a new link. */
export const guestProofOutcome = z.object({ outcome: z.enum(["proven", "wrong", "locked"]) });
export type GuestProofOutcome = z.infer<typeof guestProofOutcome>["outcome"];

/**
 * Whether a guest may check in on their page. `too_early`: before the planned arrival; `see_desk`: the desk has something
 * to decide, such as a room that isn't clean.
 */
export const guestCheckInState = z.enum(["possible", "too_early", "details_missing", "not_paid", "see_desk"]);
export type GuestCheckInState = z.infer<typeof guestCheckInState>;
/** What came of it: checked in, or what is missing. */
export const guestCheckInOutcome = z.object({
  outcome: z.enum(["checked_in", ...guestCheckInState.exclude(["possible"]).options]),
});
export type GuestCheckInOutcome = z.infer<typeof guestCheckInOutcome>["outcome"];

/** A time of the day of departure. */
export const guestLateInput = guestTokenInput.extend({ time: f.timeOfDay });
export const guestActDone = z.object({ done: z.literal(true) });
