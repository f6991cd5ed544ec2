import { z } from "zod";
import {
  bodyVariables,
  GUEST_MESSAGE_CHANNELS,
  GUEST_MESSAGE_EVENTS,
  GUEST_MESSAGE_SKIPS,
  GUEST_MESSAGE_STATES,
  type GuestMessageEvent,
  unknownVariables,
} from "../guest-messages.ts";
import { LANGUAGES, type LanguageCode } from "../languages.ts";
import * as f from "./fields.ts";
import { webhookUrl } from "./messaging.ts";
import { guestContacts } from "./stays/guest-links.ts";

export const MAX_SUBJECT = 120;
export const MAX_BODY = 2000;
/** Two weeks. */
export const MAX_HOURS_BEFORE = 336;

const event = z.enum(GUEST_MESSAGE_EVENTS);
const channel = z.enum(GUEST_MESSAGE_CHANNELS);
const codes = LANGUAGES.map(({ code }) => code) as [LanguageCode, ...LanguageCode[]];
const language = z.enum(codes);

/** What a hotel sends, when and by which ways; `channels` in the order in which they are tried. */
export const saveGuestMessageSettingsInput = z
  .object({
    events: z.array(event).max(GUEST_MESSAGE_EVENTS.length),
    channels: z.array(channel).min(1, f.v.required).max(GUEST_MESSAGE_CHANNELS.length),
    /** hours before the planned arrival */
    hoursBefore: z.int({ error: f.v.integer }).min(1, f.v.hoursBefore).max(MAX_HOURS_BEFORE, f.v.hoursBefore),
    /** between these times of the hotel's day no message goes out, except a door code; null: at any time */
    quiet: z.object({ from: f.timeOfDay, to: f.timeOfDay }).nullable(),
  })
  .refine(({ quiet }) => quiet === null || quiet.from !== quiet.to, { path: ["quiet", "to"], error: f.v.sameTimes });
export type GuestMessageSettingsInput = z.infer<typeof saveGuestMessageSettingsInput>;

export const guestMessageSettings = z.object({
  events: z.array(event),
  channels: z.array(channel),
  hoursBefore: z.int(),
  quiet: z.object({ from: z.string(), to: z.string() }).nullable(),
  /** ways that a message can really go: a service is set up */
  available: z.array(channel),
  /** host of the messenger service that receives messages; null: none */
  webhookHost: z.string().nullable(),
  /** whether this server serves guests' pages, so that texts may lead to them */
  hasGuestPage: z.boolean(),
  /** texts that the hotel wrote itself */
  texts: z.array(z.object({ event, language })),
  /** language for guests whose country doesn't tell theirs */
  language,
});
export type GuestMessageSettings = z.infer<typeof guestMessageSettings>;

export const guestMessageTextInput = z.object({ event, language });
export const guestMessageText = z.object({
  subject: z.string(),
  body: z.string(),
  /** the product's text, which the hotel may replace */
  standard: z.object({ subject: z.string(), body: z.string() }),
  isOwn: z.boolean(),
});
export type GuestMessageText = z.infer<typeof guestMessageText>;

const textContent = z.object({ subject: f.requiredText(MAX_SUBJECT), body: f.requiredText(MAX_BODY) });

/** Refuses a text with a name between braces that is no variable of its event, or not one for a subject. */
function checkVariables(
  { event, content }: { event: GuestMessageEvent; content: z.output<typeof textContent> | null },
  context: z.core.$RefinementCtx,
): void {
  for (const part of content ? (["subject", "body"] as const) : []) {
    const [name] = unknownVariables(event, content?.[part] ?? "");
    if (name === undefined) continue;
    context.addIssue({ code: "custom", path: ["content", part], message: f.v.unknownVariable, params: { name } });
  }
  const [name] = bodyVariables(content?.subject ?? "");
  if (name === undefined) return;
  context.addIssue({ code: "custom", path: ["content", "subject"], message: f.v.bodyVariable, params: { name } });
}

/** `content` null: the product's text again */
export const saveGuestMessageTextInput = z
  .object({ event, language, content: textContent.nullable() })
  .superRefine(checkVariables);
export const guestMessageTextSaved = z.object({ isOwn: z.boolean() });

/** A text to be tried on a stay. */
export const previewGuestMessageInput = z
  .object({ event, language, content: textContent, stayGuestId: f.id })
  .superRefine(checkVariables);
export const guestMessagePreview = z.object({ subject: z.string(), body: z.string() });

/** Stays on which a text can be tried. */
export const guestMessageSample = z.object({ stayGuestId: z.int(), guestName: z.string(), roomName: z.string() });
export const guestMessageSamples = z.array(guestMessageSample);

/** null: no messenger service */
export const saveGuestMessageWebhookInput = z.object({ url: webhookUrl.nullable() });
/** The secret that signs; it is shown only once. */
export const guestMessageWebhookSaved = z.object({ secret: z.string().nullable() });

export const guestMessagesInput = z.object({ stayGuestId: f.id });
export const guestMessageRow = z.object({
  id: z.int(),
  event,
  state: z.enum(GUEST_MESSAGE_STATES),
  skip: z.enum(GUEST_MESSAGE_SKIPS).nullable(),
  /** null: not chosen yet */
  channel: channel.nullable(),
  recipient: z.string(),
  createdAt: z.string(),
  /** when it is prepared at the earliest */
  dueAt: z.string(),
  sentAt: z.string().nullable(),
  /** in the words of the service, or a reason of ours */
  error: z.string(),
  /** whether its text is still stored */
  hasText: z.boolean(),
  /** who sent it by hand; null: the console by itself */
  operatorName: z.string().nullable(),
});
export type GuestMessageRow = z.infer<typeof guestMessageRow>;
export const guestMessagesOfStay = z.object({
  rows: z.array(guestMessageRow),
  optedOut: z.boolean(),
  /** whether the guest has an address that a set-up service reaches */
  canReach: z.boolean(),
  /** what can be sent by hand now */
  sendable: z.array(event),
});
export type GuestMessagesOfStay = z.infer<typeof guestMessagesOfStay>;

export const guestMessageRef = z.object({ id: f.id });
export const guestMessageContent = z.object({ subject: z.string(), body: z.string(), masked: z.boolean() });
export const sendGuestMessageInput = z.object({ stayGuestId: f.id, event, contacts: guestContacts });
export const guestMessageSent = z.object({ id: z.int() });
export const guestMessageHandedOver = z.object({ id: z.int() });
export const optOutInput = z.object({ stayGuestId: f.id, optedOut: z.boolean() });
export const optedOut = z.object({ optedOut: z.boolean() });
