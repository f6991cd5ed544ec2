import { z } from "zod";
import { MAX_DOORS_PER_KEY } from "../../limits.ts";
import * as f from "../fields.ts";
import { credentialRow } from "./locks.ts";

/** Note and image are required (source: specification, section 5); without the person's consent nothing is stored. */
export const enrolFaceInput = z.object({
  fileId: f.uuid,
  note: f.requiredText(100),
  guestId: f.id.nullable().default(null),
  consent: z.boolean(),
});
export const faceRef = z.object({ faceId: f.id });
export const faceNoteInput = z.object({ faceId: f.id, note: f.requiredText(100) });
export const facesInput = z.object({ query: f.text(60).default(""), ...f.page });
export const faceRow = z.object({
  id: z.int(),
  note: z.string(),
  guestId: z.int().nullable(),
  guestName: z.string().nullable(),
  /** null if the reader may not see faces */
  imageUrl: z.string().nullable(),
  consentAt: z.string(),
  createdAt: z.string(),
  operatorName: z.string().nullable(),
  grants: z.array(credentialRow),
});
export type FaceRow = z.infer<typeof faceRow>;
export const facePage = z.object({ rows: z.array(faceRow), total: z.int() });

/**
 * Grants doors for a period. With a stay, it grants the stay's room for its access window, and the rest is left out.
 */
export const grantFaceInput = z
  .object({
    faceId: f.id,
    stayId: f.id.nullable().default(null),
    roomIds: z.array(f.id).max(MAX_DOORS_PER_KEY).default([]),
    validFrom: f.instant.nullable().default(null),
    validTo: f.instant.nullable().default(null),
  })
  .superRefine(({ stayId, roomIds, validFrom, validTo }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    if (stayId === null && roomIds.length === 0) fail("roomIds", f.v.required);
    if (validFrom !== null && validTo !== null && validTo <= validFrom) fail("validTo", f.v.endBeforeStart);
  });
/** As `grantFaceInput`, for callers that name locks and must say `permanent` for access without an end. */
export const grantFaceAtLocksInput = f.withExplicitEnd(
  z
    .object({
      faceId: f.id,
      lockIds: z.array(f.id).min(1, f.v.required).max(MAX_DOORS_PER_KEY),
      validFrom: f.instant.nullable().default(null),
      validTo: f.instant.nullable().default(null),
    })
    .refine(({ validFrom, validTo }) => validFrom === null || validTo === null || validTo > validFrom, {
      path: ["validTo"],
      error: f.v.endBeforeStart,
    }),
  () => true,
);
export const faceGranted = z.object({ faceId: z.int(), credentialIds: z.array(z.int()) });
export const credentialRef = z.object({ credentialId: f.id });
/** Face permissions on one door, of one stay or of one face. */
export const faceGrantsInput = z.object({
  roomId: f.id.optional(),
  stayId: f.id.optional(),
  lockId: f.id.optional(),
  faceId: f.id.optional(),
});
/** The permissions at one lock, or of one face. */
export const grantsOfLockOrFaceInput = faceGrantsInput
  .pick({ lockId: true, faceId: true })
  .refine(({ lockId, faceId }) => lockId !== undefined || faceId !== undefined, {
    path: ["lockId"],
    error: f.v.required,
  });
export const faceGrants = z.array(
  credentialRow.extend({
    imageUrl: z.string().nullable(),
    /** note of the permission; the note of the face itself is its label */
    note: z.string(),
  }),
);
export const grantNoteInput = z.object({ credentialId: f.id, note: f.text(100) });
