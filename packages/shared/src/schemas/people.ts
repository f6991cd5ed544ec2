import { z } from "zod";
import { CustomerKind, Gender, Role } from "../enums.ts";
import * as f from "./fields.ts";

/** Customers: people and companies who book. */
export const customerInput = z.object({
  id: f.id.optional(),
  kind: CustomerKind,
  name: f.requiredText(120),
  mobile: f.optionalPhone,
  email: f.optionalEmail,
  company: f.text(120).default(""),
  note: f.text(1000).default(""),
});
export type CustomerInput = z.infer<typeof customerInput>;
export const customerRef = z.object({ id: z.int() });
export const customerRow = customerInput.extend({
  id: z.int(),
  frozen: z.boolean(),
  stayCount: z.int(),
  inHouse: z.boolean(),
  createdAt: z.string(),
});
export const customerListInput = z.object({ keyword: f.text(100).default(""), ...f.page });
export const customerListOutput = z.object({ rows: z.array(customerRow), total: z.int() });
export type CustomerListInput = z.infer<typeof customerListInput>;
export type CustomerListOutput = z.infer<typeof customerListOutput>;
export const freezeCustomerInput = z.object({ id: f.id, frozen: z.boolean() });

/** Operators: who logs in. */
export const operatorRow = z.object({
  operatorId: z.int(),
  name: z.string(),
  gender: Gender.nullable(),
  nationality: z.string().nullable(),
  birthDate: z.string().nullable(),
  mobile: z.string().nullable(),
  email: z.string().nullable(),
  role: Role,
  apiKeyAuth: z.boolean(),
  capabilities: z.array(z.string()),
  roomIds: z.array(z.int()),
  frozen: z.boolean(),
  lastSeenAt: z.string().nullable(),
  registeredAt: z.string(),
});
export const operatorListOutput = z.array(operatorRow);
export const operatorInput = z.object({
  operatorId: f.id.optional(),
  name: f.requiredText(80),
  gender: Gender.nullable().default(null),
  nationality: f.country.nullable().default(null),
  birthDate: f.localDateField.nullable().default(null),
  account: f.account,
  /** needed for a new operator only */
  password: f.newPassword.optional(),
  role: Role.exclude(["owner"]),
  capabilities: z.array(z.string().max(40)).max(50).default([]),
  roomIds: z.array(f.id).max(2000).default([]),
});
export type OperatorInput = z.output<typeof operatorInput>;
export const operatorRef = z.object({ operatorId: z.int() });
export const freezeOperatorInput = z.object({ operatorId: f.id, frozen: z.boolean() });

/** The journal and the outbox. */
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

export const outboxRow = z.object({
  id: z.string(),
  channel: z.enum(["sms", "mail"]),
  recipient: z.string(),
  subject: z.string(),
  body: z.string(),
  state: z.enum(["queued", "sent", "failed"]),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  lastError: z.string(),
});
export const outboxListOutput = z.object({ rows: z.array(outboxRow), embedded: z.boolean() });
