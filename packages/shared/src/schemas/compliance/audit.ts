import { z } from "zod";

/** Input of the audit list. */
export const auditListInput = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  limit: z.int().min(1).max(100).default(50),
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
export const auditListOutput = z.object({ rows: z.array(auditRow), nextBefore: z.string().nullable() });
