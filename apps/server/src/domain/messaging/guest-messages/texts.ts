import { GUEST_MESSAGE_VARIABLES, type GuestMessageEvent } from "@innkey/shared/guest-messages";
import type { LanguageCode } from "@innkey/shared/languages";
import type { HotelSql } from "../../../kernel/hotel-database.ts";
import { translator } from "../../../kernel/translate.ts";

/** Subject and body of a message, with variables. */
export interface MessageText {
  subject: string;
  body: string;
}

/** Each variable as its own value, so that the texts of locales/ keep them. */
const VARIABLES = Object.fromEntries(GUEST_MESSAGE_VARIABLES.map((name) => [name, `{{${name}}}`]));

/** Returns the product's text about an event. */
export function standardText(event: GuestMessageEvent, language: LanguageCode): MessageText {
  const t = translator(language);
  return {
    subject: t(`messages.guest.${event}.subject`, VARIABLES),
    body: t(`messages.guest.${event}.body`, VARIABLES),
  };
}

const OWN = `SELECT subject, body FROM guest_message_text
  WHERE hotel_id = $1 AND event = $2::guest_message_event AND language = $3`;

/** Returns the text that the hotel wrote; null if it uses the product's. */
export async function ownText(
  sql: HotelSql,
  event: GuestMessageEvent,
  language: LanguageCode,
): Promise<MessageText | null> {
  const [row] = await sql.rows<MessageText>(OWN, event, language);
  return row ?? null;
}

/** Returns the text that a hotel's guests get. */
export async function textOf(sql: HotelSql, event: GuestMessageEvent, language: LanguageCode): Promise<MessageText> {
  return (await ownText(sql, event, language)) ?? standardText(event, language);
}
