import { z } from "zod";
import { Role } from "../../enums.ts";
import { HOUR_FORMATS } from "../../hour-format.ts";
import * as f from "../fields.ts";
import { secondStep } from "./two-step.ts";

/**
 * Solved work task of a refused login: SHA-256 of `<challenge>:<answer>` begins with the requested number of zero bits.
 */
export const loginWork = z.object({ challenge: z.string().max(300), answer: z.string().max(40) });
export type LoginWork = z.infer<typeof loginWork>;

export const loginInput = z.object({
  account: f.account,
  password: z.string({ error: f.v.required }).min(1, f.v.required).max(200, f.v.tooLong),
  captchaId: f.uuid.optional(),
  code: f.graphicCode.optional(),
  work: loginWork.optional(),
});

const passwordPair = {
  password: f.newPassword,
  confirmPassword: z.string({ error: f.v.required }).min(1, f.v.required),
};
const samePasswords = {
  check: (value: { password: string; confirmPassword: string }): boolean => value.password === value.confirmPassword,
  params: { error: f.v.passwordsDiffer, path: ["confirmPassword"] },
};

export const changePasswordInput = z
  .object({
    oldPassword: z.string({ error: f.v.required }).min(1, f.v.required).max(200, f.v.tooLong),
    ...passwordPair,
  })
  .refine(samePasswords.check, samePasswords.params);

export const sendRecoveryCodeInput = z.object({ account: f.account, captchaId: f.uuid, code: f.graphicCode });

const resetFields = { account: f.account, code: f.smsCode, ...passwordPair };

export const resetPasswordInput = z
  .object({ handle: f.uuid, ...resetFields })
  .refine(samePasswords.check, samePasswords.params);

/** For old clients, which do not know handles. */
export const legacyResetInput = z.object(resetFields).refine(samePasswords.check, samePasswords.params);

export const switchHotelInput = z.object({ hotelId: f.id });

export const setupInput = z.object({
  hotel: z.object({
    name: f.requiredText(120),
    timeZone: f.timeZone,
    currency: f.currency,
    language: z.string().max(20).optional(),
  }),
  owner: z.object({ name: f.requiredText(80), account: f.account, password: f.newPassword }),
});

/** What people set for themselves: their display name and their picture (null: none). */
/** The page that opens after the login; customers, unless a person chose another. */
export const START_PAGES = ["customers", "today", "board"] as const;
export const startPage = z.enum(START_PAGES);
export type StartPage = z.infer<typeof startPage>;

export const ownProfileInput = z.object({
  name: f.requiredText(80),
  avatarFileId: f.uuid.nullable(),
  /** missing: as it was */
  startPage: startPage.optional(),
});
export type OwnProfileInput = z.infer<typeof ownProfileInput>;

/** The stored user info of the specification: who is logged in, in which hotel, and with which permissions. */
export const me = z.object({
  operatorId: z.int(),
  name: z.string(),
  mobile: z.string().nullable(),
  email: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  startPage,
  registeredAt: z.string(),
  role: Role,
  apiKeyAuth: z.boolean(),
  capabilities: z.array(z.string()),
  hotel: z.object({
    id: z.int(),
    name: z.string(),
    timeZone: z.string(),
    currency: z.string(),
    language: z.string(),
    hourFormat: z.enum(HOUR_FORMATS),
    checkInTime: z.string(),
    checkOutTime: z.string(),
    dayStartTime: z.string(),
    weekendNights: z.array(z.int()),
  }),
  hotels: z.array(z.object({ id: z.int(), name: z.string() })),
  /** the hotel is new, and its list of first steps has not been closed */
  gettingReady: z.boolean(),
});
export type Me = z.infer<typeof me>;

/**
 * What a staff member has to do before anything else: replace the password that a colleague set, or set up the second
 * factor that the hotel requires. Until then, all other calls are refused with `password_due` or `two_step_due`.
 */
export const due = z.enum(["password", "two_step"]);
export type Due = z.infer<typeof due>;

/** Next step after a correct password. */
export const loginOutput = z.discriminatedUnion("next", [
  me.extend({ next: z.literal("enter") }),
  secondStep.extend({ next: z.literal("second_factor") }),
  /** logged in, but only to do what is due */
  z.object({ next: z.literal("duty"), due }),
]);
export type LoginOutput = z.infer<typeof loginOutput>;

/** `due`: the session may only be used to do this. */
export const authStatus = z.object({
  setupNeeded: z.boolean(),
  session: me.nullable(),
  due: due.nullable(),
});
export type AuthStatus = z.infer<typeof authStatus>;
export const captcha = z.object({ captchaId: z.string(), image: z.string(), expiresAt: z.string() });
/** `handle` identifies this request: the code that was sent is only valid together with it. */
export const recoverySent = z.object({ handle: z.string(), expiresInSeconds: z.int(), resendAfterSeconds: z.int() });

/** Limit per operator and channel; a further login ends the session that was idle longest. */
export const MAX_SESSIONS = 20;
export const sessionRow = z.object({
  id: z.string(),
  address: z.string(),
  userAgent: z.string(),
  /** where the login happened: the console, a client of the old one, or the card-service gateway */
  door: z.enum(["console", "manage", "gateway"]),
  createdAt: z.string(),
  lastSeenAt: z.string(),
  current: z.boolean(),
});
export type Session = z.infer<typeof sessionRow>;
export const revokeSessionInput = z.object({ id: f.uuid });
/** Answer of a mutation that returns no data. */
export const acknowledged = z.object({ ok: z.literal(true) });
