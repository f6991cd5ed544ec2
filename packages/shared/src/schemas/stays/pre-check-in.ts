import { z } from "zod";
import { DocumentType } from "../../enums.ts";
import * as f from "../fields.ts";
import { guestLinkInput, guestTokenInput } from "./guest-links.ts";
import { guestInput } from "./stays.ts";

/** What guests can say about themselves before they arrive. Empty or null: left out */
const details = {
  name: f.text(120).default(""),
  birthDate: guestInput.shape.birthDate,
  nationality: guestInput.shape.nationality,
  documentType: DocumentType.nullable().default(null),
  documentNumber: f.documentNumber.default(""),
};
export const preCheckInValues = z.object(details);
export type PreCheckInValues = z.infer<typeof preCheckInValues>;

/** Of each picture, as base64; phones reduce photos before they send them. */
export const MAX_GUEST_PICTURE_CHARACTERS = 2_000_000;
const picture = z.string().max(MAX_GUEST_PICTURE_CHARACTERS).nullable().default(null);

/** A picture that a guest sends: their signature, or a photo of their document. */
export const GuestPictureKind = z.enum(["signature", "document"]);
export type GuestPictureKind = z.infer<typeof GuestPictureKind>;

/** What a guest sends. What the hotel doesn't ask for is ignored; pictures that are left out stay as they were sent. */
export const preCheckInInput = guestTokenInput.extend({
  ...details,
  arrivalTime: f.timeOfDay.nullable().default(null),
  signature: picture,
  document: picture,
});
export type PreCheckInInput = z.infer<typeof preCheckInInput>;

/** What the desk sees of a guest's details. null: the guest has sent none */
export const preCheckInState = z
  .object({
    sentAt: z.string(),
    /** when the desk took them over or discarded them; they are deleted then */
    answeredAt: z.string().nullable(),
    /** time of day */
    arrivalTime: z.string().nullable(),
    /** null: answered. The document number is masked for callers who may not see documents. */
    values: preCheckInValues.extend({ documentNumber: z.string() }).nullable(),
  })
  .nullable();
export type PreCheckInState = z.infer<typeof preCheckInState>;

/** `sentAt`: of the details that the caller saw; other details are refused */
export const answerPreCheckInInput = guestLinkInput.extend({ sentAt: f.instant });
export const preCheckInAnswered = z.object({ stayGuestId: z.int() });

/** Pictures of a guest, for the desk; `taken`: the desk took it over. */
export const guestPictures = z.array(z.object({ kind: GuestPictureKind, sentAt: z.string(), taken: z.boolean() }));
export type GuestPictures = z.infer<typeof guestPictures>;
export const guestPicturesDeleted = z.object({ deleted: z.int() });
