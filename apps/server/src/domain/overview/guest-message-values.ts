import { fillIn, type GuestMessageValues, WITHOUT_BODY_VALUES } from "@innkey/shared/guest-messages";
import { timeTag } from "@innkey/shared/hour-format";
import { guestLanguage, type LanguageCode, languageOf } from "@innkey/shared/languages";
import { moneyText } from "@innkey/shared/money";
import type { HotelSql } from "../../kernel/hotel-database.ts";
import type { HotelContext, Scope } from "../../kernel/scope.ts";
import { type GuestCode, readGuestCodes } from "../access/public.ts";
import type { MessageText } from "../messaging/public.ts";

const FACTS = `SELECT sg.id AS "stayGuestId", g.id AS "guestId", g.name AS "guestName", g.mobile, g.email, g.nationality,
    g.mobile_unconfirmed AS "mobileUnconfirmed", g.email_unconfirmed AS "emailUnconfirmed", g.no_messages AS "optedOut", g.erased_at IS NOT NULL AS erased,
    h.name AS "hotelName", h.address AS "hotelAddress", h.tel AS "hotelPhone", h.language AS "hotelLanguage",
    h.wifi_name AS "wifiName", h.wifi_password AS "wifiPassword", h.breakfast_from AS "breakfastFrom",
    h.breakfast_to AS "breakfastTo", h.notice, h.time_zone AS "timeZone", h.hour_format::text AS "hourFormat", h.currency,
    sg."primary" AS "isPrimary", s.state::text AS state, iso(s.starts_at) AS "startsAt", iso(s.ends_at) AS "endsAt", s.room_id AS "roomId",
    r.name AS room, a.owed_minor::int AS "owedMinor"
  FROM stay_guest sg
  JOIN guest g ON g.id = sg.guest_id
  JOIN hotel h ON h.id = sg.hotel_id
  JOIN stay_now s ON s.id = sg.stay_id
  JOIN room r ON r.id = s.room_id
  JOIN stay_account a ON a.stay_id = s.id
  WHERE sg.hotel_id = $1 AND sg.id = $2::int`;

/** What a message to a guest is made of. */
export interface MessageFacts extends Pick<HotelContext, "timeZone" | "hourFormat" | "currency"> {
  stayGuestId: number;
  guestId: number;
  guestName: string;
  mobile: string;
  email: string;
  /** Somebody entered it who may not give out door codes. */
  mobileUnconfirmed: boolean;
  emailUnconfirmed: boolean;
  nationality: string | null;
  optedOut: boolean;
  erased: boolean;
  hotelName: string;
  hotelAddress: string;
  hotelPhone: string;
  hotelLanguage: string;
  wifiName: string;
  wifiPassword: string;
  breakfastFrom: string;
  breakfastTo: string;
  notice: string;
  /** Whether the stay has this guest's name, and they are told what is owed. */
  isPrimary: boolean;
  state: string;
  startsAt: string;
  endsAt: string;
  roomId: number;
  room: string;
  owedMinor: number;
}

/** Returns what a message to the guest says of hotel, stay and guest; null if the guest isn't part of a stay any more. */
export async function readMessageFacts(sql: HotelSql, stayGuestId: number): Promise<MessageFacts | null> {
  const [facts] = await sql.rows<MessageFacts>(FACTS, stayGuestId);
  return facts ?? null;
}

/** Returns the language in which the guest is written to. */
export const messageLanguage = ({ nationality, hotelLanguage }: MessageFacts): LanguageCode =>
  guestLanguage(nationality, hotelLanguage);

/**
 * Returns the codes for the door of the guest's room that the guest may be sent; none while they aren't in house. One-time
 * codes are given out one by one.
 */
export async function readMessageCodes(
  scope: Scope,
  { state, stayGuestId, roomId }: Pick<MessageFacts, "state" | "stayGuestId" | "roomId">,
): Promise<GuestCode[]> {
  if (state !== "checked_in") return [];
  return (await readGuestCodes(scope, stayGuestId, roomId)).filter(({ once }) => !once);
}

/** Texts that lead into a room or to a guest's page, or tell what is owed; a preview may show them masked. */
export interface MessageSecrets {
  doorCode: string;
  guestLink: string;
}

/** Returns the values of all variables, in the language of the message and by the hotel's clock. */
export function messageValues(
  facts: MessageFacts,
  language: LanguageCode,
  secrets: MessageSecrets,
): GuestMessageValues {
  const { timeZone, hourFormat, currency, owedMinor, isPrimary } = facts;
  const tag = timeTag(languageOf(language).tag, hourFormat);
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: "full", timeZone });
  const times = new Intl.DateTimeFormat(tag, { timeStyle: "short", timeZone });
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: "short", timeZone: "UTC" });
  const timeOfDay = (time: string): string => clock.format(new Date(`2000-01-01T${time}:00Z`));
  const [arrival, departure] = [new Date(facts.startsAt), new Date(facts.endsAt)];
  const { guestName, hotelName, hotelAddress, hotelPhone, room, wifiName, wifiPassword, notice } = facts;
  return {
    ...{ guestName, hotelName, hotelAddress, hotelPhone, room, wifiName, wifiPassword, notice },
    arrivalDate: dates.format(arrival),
    arrivalTime: times.format(arrival),
    departureDate: dates.format(departure),
    departureTime: times.format(departure),
    breakfastFrom: timeOfDay(facts.breakfastFrom),
    breakfastTo: timeOfDay(facts.breakfastTo),
    balance: isPrimary && owedMinor > 0 ? moneyText(owedMinor, currency, language) : "",
    ...secrets,
  };
}

/** Fills a text. Nothing that leads into a room stands in the subject, which is stored and shown as it is. */
export const fillText = (text: MessageText, values: GuestMessageValues): MessageText => ({
  subject: fillIn(text.subject, { ...values, ...WITHOUT_BODY_VALUES }) || values.hotelName,
  body: fillIn(text.body, values),
});
