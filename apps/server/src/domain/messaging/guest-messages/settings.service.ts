import type { GuestMessageChannel, GuestMessageEvent } from "@innkey/shared/guest-messages";
import { languageOf } from "@innkey/shared/languages";
import type * as schema from "@innkey/shared/schemas/guest-messages";
import type { z } from "zod";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import { requireIntegrations, type Scope } from "../../../kernel/scope.ts";
import { changesOf, type Transaction } from "../../../kernel/transaction.ts";
import type { OutgoingMessages } from "../outgoing-messages/outgoing-messages.service.ts";
import { newSecret } from "../webhooks/deliver-event.ts";
import { checkAddress } from "../webhooks/webhooks.service.ts";
import { messengerSecretContext } from "./messenger.ts";
import type { QuietHours } from "./quiet-hours.ts";
import { ownText, standardText } from "./texts.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** What a hotel sends its guests by itself. */
export interface GuestMessageSettings {
  events: GuestMessageEvent[];
  /** in the order in which they are tried */
  channels: GuestMessageChannel[];
  hoursBefore: number;
  quiet: QuietHours | null;
  webhookUrl: string | null;
}

const DEFAULTS: GuestMessageSettings = {
  events: [],
  channels: ["mail", "sms"],
  hoursBefore: 48,
  quiet: { from: "22:00", to: "08:00" },
  webhookUrl: null,
};

const SETTINGS = `SELECT events::text[] AS events, channels::text[] AS channels, hours_before AS "hoursBefore",
    quiet_from AS "quietFrom", quiet_to AS "quietTo", webhook_url AS "webhookUrl"
  FROM guest_message_settings WHERE hotel_id = $1`;

interface SettingsRow extends Omit<GuestMessageSettings, "quiet"> {
  quietFrom: string | null;
  quietTo: string | null;
}

/** Returns the hotel's settings; a hotel that saved none sends nothing. */
export async function readSettings(sql: HotelSql): Promise<GuestMessageSettings> {
  const [row] = await sql.rows<SettingsRow>(SETTINGS);
  if (!row) return DEFAULTS;
  const { quietFrom: from, quietTo: to, ...settings } = row;
  return { ...settings, quiet: from === null || to === null ? null : { from, to } };
}

interface Deps {
  outgoingMessages: Pick<OutgoingMessages, "delivers">;
  guestUrl: string | null;
}

/** Returns what the hotel sends, when and how. @throws no_permission */
export async function get(scope: Scope, { outgoingMessages, guestUrl }: Deps): Promise<schema.GuestMessageSettings> {
  scope.require("hotel.view");
  const { webhookUrl, ...settings } = await readSettings(scope.sql);
  const texts = await scope.sql.rows<schema.GuestMessageSettings["texts"][number]>(
    "SELECT event::text AS event, language FROM guest_message_text WHERE hotel_id = $1 ORDER BY event, language",
  );
  const ways: [GuestMessageChannel, boolean][] = [
    ["mail", outgoingMessages.delivers("mail")],
    ["sms", outgoingMessages.delivers("sms")],
    ["webhook", webhookUrl !== null],
  ];
  return {
    ...settings,
    available: ways.flatMap(([channel, isSetUp]) => (isSetUp ? [channel] : [])),
    webhookHost: webhookUrl && new URL(webhookUrl).host,
    hasGuestPage: guestUrl !== null,
    texts,
    language: languageOf(scope.hotel.language).code,
  };
}

/** Creates the row of a hotel that has none, so that the following change finds it, and locks it. */
async function selectSettingsForUpdate(tx: Transaction): Promise<GuestMessageSettings> {
  const { events, channels, hoursBefore, quiet } = DEFAULTS;
  await tx.sql.rows(
    `INSERT INTO guest_message_settings (hotel_id, events, channels, hours_before, quiet_from, quiet_to)
      VALUES ($1, $2::guest_message_event[], $3::outgoing_message_channel[], $4::int, $5, $6)
      ON CONFLICT (hotel_id) DO NOTHING RETURNING hotel_id`,
    events,
    channels,
    hoursBefore,
    quiet?.from,
    quiet?.to,
  );
  await tx.sql.rows("SELECT hotel_id FROM guest_message_settings WHERE hotel_id = $1 FOR UPDATE");
  return readSettings(tx.sql);
}

/** Changes what the hotel sends, when and how. @throws no_permission */
export async function save(
  scope: Scope,
  deps: Deps,
  input: schema.GuestMessageSettingsInput,
): Promise<schema.GuestMessageSettings> {
  scope.require("hotel.manage");
  const { hoursBefore, quiet } = input;
  const events = [...new Set(input.events)];
  const channels = [...new Set(input.channels)];
  await scope.write(async (tx) => {
    const { webhookUrl: _webhookUrl, ...before } = await selectSettingsForUpdate(tx);
    const changes = changesOf(before, { events, channels, hoursBefore, quiet });
    if (!changes) return;
    await tx.db.guestMessageSettings.updateMany({
      data: { events, channels, hoursBefore, quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null },
    });
    tx.audit({ action: "guestMessage.settings", entity: "hotel", entityId: scope.hotelId, ...changes });
  });
  return get(scope, deps);
}

/** Returns the text about an event in a language: the hotel's own, else the product's. @throws no_permission */
export async function getText(
  scope: Scope,
  { event, language }: Input<typeof schema.guestMessageTextInput>,
): Promise<schema.GuestMessageText> {
  scope.require("hotel.view");
  const standard = standardText(event, language);
  const own = await ownText(scope.sql, event, language);
  return { ...(own ?? standard), standard, isOwn: own !== null };
}

/**
 * Writes the hotel's own text about an event, or returns to the product's. A text equal to the product's isn't stored,
 * so that it improves with it. @throws no_permission
 */
export async function saveText(
  scope: Scope,
  { event, language, content }: Input<typeof schema.saveGuestMessageTextInput>,
): Promise<Input<typeof schema.guestMessageTextSaved>> {
  scope.require("hotel.manage");
  const standard = standardText(event, language);
  const text = content?.subject === standard.subject && content.body === standard.body ? null : content;
  await scope.write(async (tx) => {
    const where = { event, language };
    const before = await tx.db.guestMessageText.findFirst({ where, select: { subject: true, body: true } });
    if (before?.subject === text?.subject && before?.body === text?.body) return;
    await tx.db.guestMessageText.deleteMany({ where });
    if (text) await tx.db.guestMessageText.create({ data: { hotelId: scope.hotelId, ...where, ...text } });
    // Audit entries can't be erased, and a text may name people.
    const after = { event, language, isOwn: text !== null };
    tx.audit({ action: "guestMessage.text", entity: "hotel", entityId: scope.hotelId, after });
  });
  return { isOwn: text !== null };
}

/**
 * Sets the address of the messenger service that gets messages to guests, and returns the new secret that signs them;
 * null as address removes it. @throws no_permission, feature_off; invalid_input for an address that may not be reached
 */
export async function saveWebhook(
  scope: Scope,
  { url }: Input<typeof schema.saveGuestMessageWebhookInput>,
  { allowLocal }: { allowLocal: boolean },
): Promise<Input<typeof schema.guestMessageWebhookSaved>> {
  requireIntegrations(scope);
  if (url !== null) await checkAddress(url, allowLocal);
  const secret = url === null ? null : newSecret();
  await scope.write(async (tx) => {
    const before = await selectSettingsForUpdate(tx);
    const context = messengerSecretContext(scope.hotelId);
    const webhookSecretBox = secret === null ? null : scope.secrets.webhook.seal(secret, context);
    await tx.db.guestMessageSettings.updateMany({ data: { webhookUrl: url, webhookSecretBox } });
    // The audit leaves the address out, because it may contain a secret of the receiver.
    const hostOf = (address: string | null): string | null => address && new URL(address).host;
    const hosts = { before: { host: hostOf(before.webhookUrl) }, after: { host: hostOf(url) } };
    tx.audit({ action: "guestMessage.webhook", entity: "hotel", entityId: scope.hotelId, ...hosts });
  });
  return { secret };
}
