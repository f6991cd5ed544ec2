import { z } from "zod";
import { StayState } from "../enums.ts";
import * as f from "./fields.ts";

/** Input of the audit list. */
export const auditListInput = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  limit: z.int().min(1).max(100).default(50),
  /** who acted, or the guest, room or person that was acted on; words in any order */
  keyword: f.text(100).default(""),
  action: z
    .string()
    .regex(/^[a-zA-Z]+\.[a-zA-Z_]+$/)
    .max(60)
    .optional(),
  /** `from` is inclusive, `to` exclusive */
  from: f.instant.optional(),
  to: f.instant.optional(),
});
export const auditRow = z.object({
  seq: z.string(),
  at: z.string(),
  actorName: z.string(),
  door: z.string(),
  address: z.string(),
  action: z.string(),
  entity: z.string(),
  entityId: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export const auditListRow = auditRow.extend({
  /** today's name of what was acted on; null: it has none, is gone or erased, or the reader may not see it */
  subject: z.string().nullable(),
  /** room that it is about, with the same limits */
  roomName: z.string().nullable(),
});
export const auditListOutput = z.object({ rows: z.array(auditListRow), nextBefore: z.string().nullable() });

/** Retention: days after check-out; null keeps documents and faces until they are erased by hand. */
export const retentionDays = z
  .int({ error: f.v.integer })
  .min(1, f.v.retentionDays)
  .max(3650, f.v.retentionDays)
  .nullable();
export const retentionInput = z.object({ days: retentionDays });
/** Numbers of what a retention run erased, or what the next run would erase. */
export const retentionTake = z.object({ guests: z.int(), documents: z.int(), faces: z.int() });
export type RetentionTake = z.infer<typeof retentionTake>;
export const retentionRun = retentionTake.extend({ at: z.string(), days: z.int() });
export const privacyOverview = z.object({
  days: retentionDays,
  /** what a run would erase now; null while no retention is set */
  due: retentionTake.nullable(),
  /** newest first */
  runs: z.array(retentionRun),
});
export type PrivacyOverview = z.infer<typeof privacyOverview>;

export const personRef = z.object({ guestId: f.id });
export const personSearchInput = z.object({ query: f.requiredText(100) });
/** here: checked in; expected: has a reservation; gone: neither */
export const PersonPresence = z.enum(["here", "expected", "gone"]);
export const personRow = z.object({
  guestId: z.int(),
  name: z.string(),
  mobile: z.string(),
  email: z.string(),
  standing: PersonPresence,
  stayCount: z.int(),
  lastStayAt: z.string().nullable(),
  erasedAt: z.string().nullable(),
});
export type PersonRow = z.infer<typeof personRow>;
export const personSearchOutput = z.array(personRow);

/** The number of records that the hotel stores about one person, and the person's stays. */
export const personRecords = personRow.extend({
  hasDocument: z.boolean(),
  documentsErasedAt: z.string().nullable(),
  faces: z.int(),
  cards: z.int(),
  codes: z.int(),
  entries: z.int(),
  doorRecords: z.int(),
  stays: z.array(
    z.object({
      stayId: z.int(),
      stayGuestId: z.int(),
      roomName: z.string(),
      startsAt: z.string(),
      endsAt: z.string(),
      state: StayState,
      /** number of guests of the stay, this person included */
      guests: z.int(),
    }),
  ),
});
export type PersonRecords = z.infer<typeof personRecords>;

export const personErased = z.object({ guestId: z.int(), stays: z.int(), faces: z.int(), codes: z.int() });
export type PersonErased = z.infer<typeof personErased>;
