import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/guest-messages";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import { openStayCodes } from "../access/public.ts";
import { bodyContext, type OutgoingMessages, readGuestMessageSettings, timelyEvents } from "../messaging/public.ts";
import { partyOfGuest } from "../stays/public.ts";
import { fillText, messageValues, readMessageCodes, readMessageFacts } from "./guest-message-values.ts";

type Input<S extends z.ZodType> = z.infer<S>;

const MAX_ROWS = 100;
const MASK = "••••••";

const MESSAGES = `SELECT m.id, m.event::text AS event, m.state::text AS state, m.skip::text AS skip, m.channel::text AS channel,
    coalesce(o.recipient, '') AS recipient, iso(m.created_at) AS "createdAt", iso(m.due_at) AS "dueAt", iso(m.sent_at) AS "sentAt",
    coalesce(o.last_error, '') AS error, o.id IS NOT NULL AS "hasText", p.name AS "operatorName"
  FROM guest_message m
  LEFT JOIN outgoing_message o ON o.id = m.message_id
  LEFT JOIN operator p ON p.id = m.operator_id
  WHERE m.hotel_id = $1 AND m.stay_guest_id = $2::int ORDER BY m.id DESC LIMIT ${MAX_ROWS}`;

/** Returns the messages to a guest about one stay, newest first. @throws no_permission, not_found */
export async function listMessages(
  scope: Scope,
  { stayGuestId }: Input<typeof schema.guestMessagesInput>,
  outgoingMessages: Pick<OutgoingMessages, "delivers">,
): Promise<schema.GuestMessagesOfStay> {
  scope.require("stays.view");
  await partyOfGuest(scope, stayGuestId);
  const [facts, rows, { channels, webhookUrl }] = await Promise.all([
    readMessageFacts(scope.sql, stayGuestId),
    scope.sql.rows<schema.GuestMessageRow>(MESSAGES, stayGuestId),
    readGuestMessageSettings(scope.sql),
  ]);
  if (!facts) throw new DomainError("not_found");
  const canReach = channels.some((channel) => {
    if (channel === "mail") return facts.email !== "" && outgoingMessages.delivers("mail");
    return facts.mobile !== "" && (channel === "sms" ? outgoingMessages.delivers("sms") : webhookUrl !== null);
  });
  return { rows, optedOut: facts.optedOut, canReach, sendable: timelyEvents(facts.state) };
}

const TEXT = `SELECT m.stay_id AS "stayId", m.stay_guest_id AS "stayGuestId", o.id::text AS id, o.subject, o.body_box AS "bodyBox"
  FROM guest_message m JOIN outgoing_message o ON o.id = m.message_id WHERE m.hotel_id = $1 AND m.id = $2::int`;

interface TextRow {
  stayId: number;
  stayGuestId: number;
  id: string;
  subject: string;
  bodyBox: Buffer;
}

/** The secret in the address of a guest's page. */
const LINK_SECRET = /#[\w-]{22}/g;

/**
 * @throws no_permission for a program; not_found, also for a text that was deleted, and for a guest in a room the caller
 * can't see
 */
async function openText(
  scope: Scope,
  id: number,
): Promise<{ stayId: number; stayGuestId: number; subject: string; body: string }> {
  // What messages contain is more than the scopes of a program.
  if (scope.actor.kind === "key") throw new DomainError("no_permission");
  const [row] = await scope.sql.rows<TextRow>(TEXT, id);
  if (!row) throw new DomainError("not_found");
  const { stayId, stayGuestId, subject } = row;
  await partyOfGuest(scope, stayGuestId);
  const body = scope.secrets.message.open(row.bodyBox, bodyContext({ id: row.id, hotelId: scope.hotelId }));
  if (body === null) throw new DomainError("not_found");
  return { stayId, stayGuestId, subject, body };
}

const WIFI_PASSWORD = `SELECT wifi_password AS "wifiPassword" FROM hotel WHERE id = $1`;

/** Returns the texts in messages of a stay that the caller sees only if they ask for it, longest first. */
async function secretsFor(scope: Scope, stayId: number): Promise<string[]> {
  const codes = await openStayCodes(scope, stayId);
  const [row] = scope.can("hotel.view") ? [] : await scope.sql.rows<{ wifiPassword: string }>(WIFI_PASSWORD);
  const secrets = [...codes, row?.wifiPassword ?? ""].filter((secret) => secret !== "");
  return secrets.sort((a, b) => b.length - a.length);
}

/**
 * Returns the text of a message that is in the outbox. Door codes and the secret in the address of the guest's page are
 * masked, and the Wi-Fi password for those who don't see the hotel's settings. @throws no_permission, not_found
 */
export async function readMessage(
  scope: Scope,
  { id }: Input<typeof schema.guestMessageRef>,
): Promise<Input<typeof schema.guestMessageContent>> {
  scope.require("stays.view");
  const { stayId, subject, body } = await openText(scope, id);
  const secrets = await secretsFor(scope, stayId);
  const mask = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text).replace(LINK_SECRET, `#${MASK}`);
  const masked = { subject: mask(subject), body: mask(body) };
  return { ...masked, masked: masked.subject !== subject || masked.body !== body };
}

/**
 * As `readMessage`, with nothing masked, which is recorded. Who may issue codes may also make the guest's link, whose page
 * has all of it. @throws no_permission, not_found
 */
export async function revealMessage(
  scope: Scope,
  { id }: Input<typeof schema.guestMessageRef>,
): Promise<Input<typeof schema.guestMessageContent>> {
  scope.require("passcodes.issue");
  const { stayGuestId, subject, body } = await openText(scope, id);
  await scope.write(async (tx) => {
    tx.audit({ action: "guestMessage.reveal", entity: "stayGuest", entityId: stayGuestId, after: { messageId: id } });
  });
  return { subject, body, masked: false };
}

const SAMPLES = `SELECT p.stay_guest_id AS "stayGuestId", p.name AS "guestName", r.name AS "roomName"
  FROM stay_now s JOIN primary_guest p ON p.stay_id = s.id JOIN room r ON r.id = s.room_id
  WHERE s.hotel_id = $1 AND s.state IN ('checked_in', 'reserved') AND ($2::int[] IS NULL OR s.room_id = ANY ($2::int[]))
  ORDER BY s.state = 'checked_in' DESC, s.starts_at, s.id LIMIT 20`;

/** Returns some stays on which a text can be tried: guests in house, then those who arrive next. @throws no_permission */
export async function samples(scope: Scope): Promise<Input<typeof schema.guestMessageSamples>> {
  scope.require("hotel.view");
  scope.require("stays.view");
  return scope.sql.rows<Input<typeof schema.guestMessageSample>>(SAMPLES, scope.roomIds);
}

/**
 * Returns a text as the guest of a stay would get it, with codes masked, because nobody needs one to see how a text reads, and
 * the address of the guest's page, because showing it would mean to make one. @throws no_permission, not_found
 */
export async function preview(
  scope: Scope,
  { language, content, stayGuestId }: Input<typeof schema.previewGuestMessageInput>,
  guestUrl: string | null,
): Promise<Input<typeof schema.guestMessagePreview>> {
  scope.require("hotel.view");
  scope.require("stays.view");
  await partyOfGuest(scope, stayGuestId);
  const facts = await readMessageFacts(scope.sql, stayGuestId);
  if (!facts) throw new DomainError("not_found");
  const codes = (await readMessageCodes(scope, facts)).filter(({ code }) => code !== null);
  const values = messageValues(facts, language, {
    doorCode: codes.map(() => MASK).join(", "),
    guestLink: guestUrl === null ? "" : `${guestUrl}/#${MASK}`,
  });
  if (!scope.can("folio.view") && values.balance !== "") values.balance = MASK;
  return fillText(content, values);
}
