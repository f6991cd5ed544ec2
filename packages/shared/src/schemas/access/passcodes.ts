import { z } from "zod";
import { KeyStatus, LockCommandState, PasscodeType } from "../../enums.ts";
import { MAX_DOORS_PER_KEY } from "../../limits.ts";
import { weekHours } from "../../locks/week-hours.ts";
import { PASSCODE_FILTERS } from "../../words.ts";
import * as f from "../fields.ts";
import { credentialRow } from "./locks.ts";

/** Exactly 6 digits (source: specification, section 5). */
export const doorCode = z.string({ error: f.v.doorCode }).regex(/^\d{6}$/, f.v.doorCode);

/**
 * One code for one person, on one or several doors. Times are instants; `validTo` null is permanent. For a stay, the
 * period is the stay's access window, or the requested part of it.
 */
export const createPasscodeInput = z
  .object({
    type: PasscodeType,
    roomIds: z.array(f.id).min(1, f.v.required).max(MAX_DOORS_PER_KEY),
    stayId: f.id.nullable().default(null),
    /** the guest of the stay who gets it; null: the only one who has this name or phone number, or nobody in particular */
    holderId: f.id.nullable().default(null),
    /** name or phone of the person */
    person: f.requiredText(120),
    note: f.text(200).default(""),
    code: doorCode.nullable().default(null),
    validFrom: f.instant.nullable().default(null),
    validTo: f.instant.nullable().default(null),
    /** days and hours; only for a code without a stay that isn't used up */
    hours: weekHours.default([]),
  })
  .superRefine(({ type, code, roomIds, stayId, holderId, validFrom, validTo, hours }, ctx) => {
    const fail = (path: string, message: string): void => {
      ctx.issues.push({ code: "custom", message, path: [path], input: null });
    };
    if (type === "custom" && code === null) fail("code", f.v.doorCode);
    if (hours.length > 0 && (stayId !== null || type === "one_time")) fail("hours", f.v.unknown);
    if (holderId !== null && stayId === null) fail("holderId", f.v.unknown);
    if (type === "one_time" && roomIds.length > 1) fail("roomIds", f.v.oneRoom);
    if (validFrom !== null && validTo !== null && validTo <= validFrom) fail("validTo", f.v.endBeforeStart);
  });
export type CreatePasscodeInput = z.infer<typeof createPasscodeInput>;
/**
 * As `createPasscodeInput`, for callers that must say `permanent` for a code without an end; one-time codes have none.
 */
export const createEndingPasscodeInput = f.withExplicitEnd(createPasscodeInput, ({ type }) => type !== "one_time");
/** The code in clear text, to hand over to the person. */
export const passcodeCreated = z.object({
  passcodeId: z.int(),
  code: z.string(),
  /** names of rooms whose door could not accept it because another live code there has the same digits */
  taken: z.array(z.string()),
});
export type PasscodeCreated = z.infer<typeof passcodeCreated>;
export const passcodeRef = z.object({ passcodeId: f.id });
/** Replaces the days and hours of a code without a stay; each of its locks gets them. */
export const passcodeHoursInput = z.object({ passcodeId: f.id, hours: weekHours });
/** Sends the code to a phone number or a mail address. */
export const handOverInput = z.object({ passcodeId: f.id, to: f.phoneOrEmail });
export const handedOver = z.object({ channel: z.enum(["sms", "mail"]), to: z.string() });
/** By which ways this server can send a code to somebody. */
export const handOverWays = z.object({ sms: z.boolean(), mail: z.boolean() });
export const passcodeRevealed = z.object({ code: z.string() });

/** Status of a code and the latest lock command about it; null: no lock needed a command. */
export const passcodeStatus = z.object({
  id: z.int(),
  standing: KeyStatus,
  commandState: LockCommandState.nullable(),
  changedAt: z.string(),
});

export const passcodesInput = z.object({
  /** live codes, or the history */
  state: z.enum(PASSCODE_FILTERS).default("live"),
  roomId: f.id.optional(),
  stayId: f.id.optional(),
  type: PasscodeType.optional(),
  /** status at that room's door, or over all doors */
  standing: KeyStatus.optional(),
  /** searched in person, note and room name */
  query: f.text(60).default(""),
  ...f.page,
});
export const passcodeRow = z.object({
  id: z.int(),
  type: PasscodeType,
  person: z.string(),
  note: z.string(),
  roomNames: z.string(),
  stayId: z.int().nullable(),
  stayGuestId: z.int().nullable(),
  validFrom: z.string(),
  validTo: z.string().nullable(),
  /** days and hours at which it opens; none: at any time */
  hours: weekHours,
  createdAt: z.string(),
  operatorName: z.string().nullable(),
  deletedAt: z.string().nullable(),
  standing: KeyStatus,
  /** status at each door */
  credentials: z.array(credentialRow),
});
export type PasscodeRow = z.infer<typeof passcodeRow>;
export const passcodePage = z.object({ rows: z.array(passcodeRow), total: z.int() });
