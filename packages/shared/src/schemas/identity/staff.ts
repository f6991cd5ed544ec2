import { z } from "zod";
import { CAPABILITY_NAMES } from "../../capabilities.ts";
import { Gender, Role } from "../../enums.ts";
import { MAX_GRANTED_ROOMS } from "../../limits.ts";
import * as f from "../fields.ts";

/** Staff members, their permissions and rooms. */
export const roomGrant = z.object({
  roomId: z.int(),
  /** null: immediately */
  startsAt: z.string().nullable(),
  /** null: no end */
  endsAt: z.string().nullable(),
});
export type RoomGrant = z.infer<typeof roomGrant>;
export const grantInput = z
  .object({
    roomId: f.id,
    startsAt: f.instant.nullable().default(null),
    endsAt: f.instant.nullable().default(null),
  })
  .superRefine(({ startsAt, endsAt }, context) => {
    if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
      context.addIssue({ code: "custom", path: ["endsAt"], message: f.v.endBeforeStart });
    }
  });
const capabilityNames = z.array(z.string().max(40)).max(50);
const grantInputs = z.array(grantInput).max(MAX_GRANTED_ROOMS);
export const operatorRow = z.object({
  operatorId: z.int(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  gender: Gender.nullable(),
  nationality: z.string().nullable(),
  birthDate: z.string().nullable(),
  mobile: z.string().nullable(),
  email: z.string().nullable(),
  role: Role,
  apiKeyAuth: z.boolean(),
  capabilities: z.array(z.string()),
  roomIds: z.array(z.int()),
  grants: z.array(roomGrant),
  /** all rooms are granted, and rooms created later will be too */
  allRooms: z.boolean(),
  frozen: z.boolean(),
  /** the operator logs in with a second factor */
  twoStep: z.boolean(),
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
  /** required for a new operator only */
  password: f.newPassword.optional(),
  role: Role.exclude(["owner"]),
  capabilities: capabilityNames.default([]),
  /** rooms without a period, for callers that do not send `grants`; rooms already granted keep their periods */
  roomIds: z.array(f.id).max(MAX_GRANTED_ROOMS).default([]),
  grants: grantInputs.optional(),
  /** true: all rooms, also those created later, instead of `grants`; omitted: kept as long as no room is taken away */
  allRooms: z.boolean().optional(),
  /** opens encryption management and third-party access; omitted: unchanged, and for a new operator false */
  apiKeyAuth: z.boolean().optional(),
});
export type OperatorInput = z.output<typeof operatorInput>;
export const operatorRef = z.object({ operatorId: z.int() });
/** Changes of an operator; fields that are left out stay unchanged. */
export const patchOperatorInput = operatorInput
  .pick({ name: true, account: true, password: true, role: true })
  .partial()
  .extend({
    operatorId: f.id,
    gender: Gender.optional(),
    nationality: f.country.optional(),
    birthDate: f.localDateField.optional(),
  });
export type PatchOperatorInput = z.output<typeof patchOperatorInput>;
export const freezeOperatorInput = z.object({ operatorId: f.id, frozen: z.boolean() });
export const removeOperatorInput = z.object({ operatorId: f.id });
export const resetTwoStepInput = z.object({ operatorId: f.id });
export const operatorRoleInput = z.object({ operatorId: f.id, role: Role.exclude(["owner"]) });
/** Sets permissions and rooms of several staff members at once. */
export const permitInput = z.object({
  people: z
    .array(
      z.object({
        operatorId: f.id,
        capabilities: capabilityNames,
        grants: grantInputs,
        /** as in `operatorInput` */
        allRooms: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(200),
});
export type PermitInput = z.output<typeof permitInput>;
export const permitted = z.object({ changed: z.int() });
/** Adds permissions and rooms; existing ones stay. */
export const addPermitInput = z.object({
  operatorId: f.id,
  roomIds: z.array(f.id).min(1, f.v.required).max(MAX_GRANTED_ROOMS),
  capabilities: capabilityNames.default([]),
});
export type AddPermitInput = z.output<typeof addPermitInput>;
/** Finds staff members by name or account, by page. */
export const staffPageInput = z.object({ keyword: f.text(100).default(""), ...f.page });
/** Grants the room of a lock to one staff member, who is identified by phone, e-mail or name. */
export const lockManagerInput = z
  .object({
    account: f.requiredText(254),
    lockId: f.id,
    startsAt: f.instant.nullable().default(null),
    endsAt: f.instant.nullable().default(null),
  })
  .superRefine(({ startsAt, endsAt }, context) => {
    if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
      context.addIssue({ code: "custom", path: ["endsAt"], message: f.v.endBeforeStart });
    }
  });
export const grantRef = z.object({ grantId: f.id });
/** The caller's own rooms; null: all rooms. */
export const ownRooms = z.object({
  rooms: z.array(roomGrant.extend({ roomName: z.string() })).nullable(),
});

/** What each permission lets staff do: names of acts, whose texts are under `staff.act`. */
export const openedActs = z.array(z.object({ capability: z.enum(CAPABILITY_NAMES), acts: z.array(z.string()) }));
export type OpenedActs = z.infer<typeof openedActs>;
