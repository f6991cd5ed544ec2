/** Messages to guests: their events, and the texts with variables from which they are made. This file imports nothing. */

/** What a guest is written about. */
export const GUEST_MESSAGE_EVENTS = [
  "reserved",
  "changed",
  "cancelled",
  "before_arrival",
  "checked_in",
  "code_changed",
  "extended",
  "checked_out",
] as const;
export type GuestMessageEvent = (typeof GUEST_MESSAGE_EVENTS)[number];

/** Ways to reach a guest. `webhook` is a messenger service that the hotel runs or rents. */
export const GUEST_MESSAGE_CHANNELS = ["mail", "sms", "webhook"] as const;
export type GuestMessageChannel = (typeof GUEST_MESSAGE_CHANNELS)[number];

/**
 * Where a message stands: it waits for its time or for the lock; it is in the outbox; a service accepted it or refused it
 * for good; the desk is to give it to the guest, or has; or it isn't sent, for one of the reasons below.
 */
export const GUEST_MESSAGE_STATES = [
  "waiting",
  "queued",
  "sent",
  "failed",
  "to_hand_over",
  "handed_over",
  "skipped",
] as const;
export type GuestMessageState = (typeof GUEST_MESSAGE_STATES)[number];

/**
 * Why a message isn't sent: the guest wants none or has no address, what it says is no longer so or is in another message,
 * or the hotel has switched such messages off since.
 */
export const GUEST_MESSAGE_SKIPS = ["opted_out", "no_address", "outdated", "included", "switched_off"] as const;
export type GuestMessageSkip = (typeof GUEST_MESSAGE_SKIPS)[number];

/** Variables of every text. */
const VARIABLES = [
  "guestName",
  "hotelName",
  "hotelAddress",
  "hotelPhone",
  "room",
  "arrivalDate",
  "arrivalTime",
  "departureDate",
  "departureTime",
  "guestLink",
  "wifiName",
  "wifiPassword",
  "breakfastFrom",
  "breakfastTo",
  "balance",
  "notice",
] as const;
/** The code opens only while the guest has the room, so only messages of that time can contain it. */
const CODE_VARIABLE = "doorCode";
const EVENTS_WITH_CODE: readonly GuestMessageEvent[] = ["changed", "checked_in", "code_changed", "extended"];

export type GuestMessageVariable = (typeof VARIABLES)[number] | typeof CODE_VARIABLE;
export type GuestMessageValues = Record<GuestMessageVariable, string>;

/** Every variable, in the order in which the settings list them. */
export const GUEST_MESSAGE_VARIABLES: readonly GuestMessageVariable[] = [...VARIABLES, CODE_VARIABLE];

/** Returns the variables that the texts of an event may contain. */
export const variablesOf = (event: GuestMessageEvent): readonly GuestMessageVariable[] =>
  EVENTS_WITH_CODE.includes(event) ? GUEST_MESSAGE_VARIABLES : VARIABLES;

/** What must not be in a subject, which stands in lists of mails and on locked phones, and is stored as it is. */
const BODY_VARIABLES = ["doorCode", "guestLink", "wifiPassword"] as const satisfies readonly GuestMessageVariable[];
/** Their values in a subject */
export const WITHOUT_BODY_VALUES = { doorCode: "", guestLink: "", wifiPassword: "" } satisfies Record<
  (typeof BODY_VARIABLES)[number],
  ""
>;

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Returns the names between double braces, known or not, without duplicates. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name]) => name ?? "")),
];

/** Returns what of a text is no variable of the event: an unknown name, or braces that enclose none. */
export function unknownVariables(event: GuestMessageEvent, text: string): string[] {
  const variables: readonly string[] = variablesOf(event);
  const unknown = variablesIn(text).filter((name) => !variables.includes(name));
  const loose = /\{\{|\}\}/.exec(text.replace(VARIABLE, ""));
  return loose ? [...unknown, loose[0]] : unknown;
}

/** Returns the variables of a subject that may only be in a body. */
export const bodyVariables = (subject: string): string[] =>
  variablesIn(subject).filter((name) => (BODY_VARIABLES as readonly string[]).includes(name));

/**
 * Puts the values into a text. A line is left out if it has variables and all of them are empty, so that one text fits
 * hotels and stays with and without a code, a network or a debt.
 */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  const lines = text.split("\n").filter((line) => {
    const names = variablesIn(line);
    return names.length === 0 || names.some((name) => values[name]);
  });
  const filled = lines.map((line) => line.replace(VARIABLE, (_whole, name: string) => values[name] ?? ""));
  return filled
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
