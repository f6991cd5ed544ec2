import { z } from "zod";
import { API_SCOPES } from "../capabilities.ts";
import { AlertKind, LockCommandState } from "../enums.ts";
import { MAX_ROOMS_PER_CALL } from "../limits.ts";
import { DELIVERY_ERRORS, DELIVERY_STATES, WEBHOOK_EVENTS } from "../webhook-events.ts";
import * as f from "./fields.ts";

export const alertsInput = z.object({
  /** only open ones, or all */
  state: z.enum(["open", "all"]).default("open"),
  kind: AlertKind.optional(),
  ...f.page,
});
export const alertRow = z.object({
  id: z.int(),
  kind: AlertKind,
  lockId: z.int().nullable(),
  roomId: z.int().nullable(),
  roomName: z.string().nullable(),
  /** values for the text: power (percent), seconds, count, error (a LockErrorCode) … */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  count: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
  readAt: z.string().nullable(),
  resolvedAt: z.string().nullable(),
});
export type AlertRow = z.infer<typeof alertRow>;
export const alertPage = z.object({ rows: z.array(alertRow), total: z.int(), unread: z.int() });
export const unreadAlerts = z.object({ unread: z.int() });
/** null: all that are open */
export const readAlertsInput = z.object({ ids: z.array(f.id).min(1).max(200).nullable() });
export const deleteAlertsInput = z.object({ ids: z.array(f.id).min(1).max(200) });
export const alertsChanged = z.object({ changed: z.int() });

/** One text for the displays of all locks; an empty text clears them. */
export const lockDisplayTextInput = z.object({
  to: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("all") }),
    z.object({ kind: z.literal("groups"), groupIds: z.array(f.id).min(1, f.v.required).max(200) }),
    z.object({ kind: z.literal("rooms"), roomIds: z.array(f.id).min(1, f.v.required).max(MAX_ROOMS_PER_CALL) }),
  ]),
  text: f.text(200),
});
export type LockDisplayTextInput = z.infer<typeof lockDisplayTextInput>;

export const NOTICE_REFUSALS = ["no_lock", "no_display", "not_set_up"] as const;

export const lockDisplayTextResult = z.object({
  told: z.int(),
  cannot: z.array(z.object({ roomId: z.int(), roomName: z.string(), reason: z.enum(NOTICE_REFUSALS) })),
});
export type LockDisplayTextResult = z.infer<typeof lockDisplayTextResult>;

/** The text last sent to the lock of a room, and whether the lock shows it. */
export const lockDisplayTextState = z.object({
  roomId: z.int(),
  roomName: z.string(),
  groupId: z.int().nullable(),
  /** stored with the room; empty: no text */
  text: z.string(),
  /** null: its lock can show it */
  cannot: z.enum(NOTICE_REFUSALS).nullable(),
  online: z.boolean(),
  /** state of the last command; null: none within the period for which commands are stored */
  state: LockCommandState.exclude(["cancelled"]).nullable(),
  at: z.string().nullable(),
  /** a LockErrorCode or "" */
  error: z.string(),
  nextTryAt: z.string().nullable(),
});
export type LockDisplayTextState = z.infer<typeof lockDisplayTextState>;
export const lockDisplayTextStates = z.array(lockDisplayTextState);

export const outboxRow = z.object({
  id: z.string(),
  channel: z.enum(["sms", "mail", "webhook"]),
  recipient: z.string(),
  subject: z.string(),
  /** "": the caller may not read it here */
  body: z.string(),
  /** guest on whose page the message can be read; null: it isn't to a guest about their stay */
  stayGuestId: z.int().nullable(),
  state: z.enum(["queued", "sent", "failed", "to_hand_over"]),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  lastError: z.string(),
});
export const outboxListOutput = z.object({ rows: z.array(outboxRow), embedded: z.boolean() });

export const ApiScope = z.enum(API_SCOPES);
export const WebhookEvent = z.enum(WEBHOOK_EVENTS);

export const createKeyInput = z.object({
  name: f.requiredText(80),
  scopes: z.array(ApiScope).min(1, f.v.required).max(API_SCOPES.length),
  /** null: the key never expires */
  expiresAt: f.instant.nullable(),
});
/** The token is shown only once; the server stores only its hash. */
export const keyCreated = z.object({ id: z.int(), token: z.string() });
export type KeyCreated = z.infer<typeof keyCreated>;
export const keyRef = z.object({ id: f.id });
export const keyRow = z.object({
  id: z.int(),
  name: z.string(),
  /** the public half of the token */
  keyId: z.string(),
  scopes: z.array(z.string()),
  state: z.enum(["live", "expired", "revoked"]),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  lastUsedAddress: z.string(),
  createdAt: z.string(),
  operatorName: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type KeyRow = z.infer<typeof keyRow>;

const URL_MAX = 500;
/** A user name before the host, or a fragment, which clients never send. */
const NEVER_SENT = /^[a-z]+:\/\/[^/?#]*@|#/i;
/**
 * URL that receives events. The service checks its scheme, and each connection checks whether the address may be
 * reached.
 */
export const webhookUrl = z
  .string({ error: f.v.required })
  .trim()
  .min(1, f.v.required)
  .max(URL_MAX, f.v.tooLong)
  .pipe(z.url({ protocol: /^https?$/, error: f.v.webAddress }))
  .refine((url) => !NEVER_SENT.test(url), f.v.webAddress);

export const saveWebhookInput = z.object({
  id: f.id.optional(),
  name: f.requiredText(80),
  url: webhookUrl,
  events: z.array(WebhookEvent).min(1, f.v.required).max(WEBHOOK_EVENTS.length),
});
/** The secret of a new webhook is shown only once. */
export const webhookSaved = z.object({ id: z.int(), secret: z.string().nullable() });
export type WebhookSaved = z.infer<typeof webhookSaved>;
export const webhookRef = z.object({ id: f.id });
export const switchWebhookInput = z.object({ id: f.id, on: z.boolean() });
export const secretRotated = z.object({
  id: z.int(),
  secret: z.string(),
  /** until then, the previous secret signs as well */
  previousUntil: z.string(),
});
export const webhookRow = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  state: z.enum(["on", "failing", "off", "given_up"]),
  failures: z.int(),
  failingSince: z.string().nullable(),
  nextTryAt: z.string().nullable(),
  disabledAt: z.string().nullable(),
  previousSecretUntil: z.string().nullable(),
  createdAt: z.string(),
  operatorName: z.string().nullable(),
  queued: z.int(),
  failed: z.int(),
  lastDeliveredAt: z.string().nullable(),
});
export type WebhookRow = z.infer<typeof webhookRow>;

export const deliveriesInput = z.object({
  webhookId: f.id,
  state: z.enum(DELIVERY_STATES).optional(),
  ...f.page,
});
export const deliveryRow = z.object({
  id: z.string(),
  event: z.string(),
  state: z.enum(DELIVERY_STATES),
  tries: z.int(),
  /** HTTP status of the last answer */
  lastStatus: z.int().nullable(),
  lastError: z.enum(DELIVERY_ERRORS).nullable(),
  createdAt: z.string(),
  deliveredAt: z.string().nullable(),
  /** request body, as JSON */
  body: z.string(),
});
export type DeliveryRow = z.infer<typeof deliveryRow>;
export const deliveryPage = z.object({ rows: z.array(deliveryRow), total: z.int() });
export const testSent = z.object({ deliveryId: z.string() });
/** null: all failed deliveries */
export const resendInput = z.object({ webhookId: f.id, deliveryId: f.uuid.nullable() });
export const resent = z.object({ count: z.int() });
