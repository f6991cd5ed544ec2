import { MINUTE_MS } from "@innkey/shared/durations";
import {
  type GuestMessageChannel,
  type GuestMessageEvent,
  variablesIn,
  variablesOf,
} from "@innkey/shared/guest-messages";
import type { LanguageCode } from "@innkey/shared/languages";
import { z } from "zod";
import type { Database } from "../../adapters/postgres/client.ts";
import type { Job, JobQueue } from "../../adapters/queue/queue.ts";
import type { Logger } from "../../adapters/telemetry/logger.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Scope, SystemScopes } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { maskedContact } from "../identity/public.ts";
import {
  announceCode,
  type DueMessage,
  deleteOldTexts,
  dueMessages,
  earlierWaiting,
  endOfQuiet,
  type GuestMessageSettings,
  insertArrivals,
  markQueued,
  type OutgoingMessages,
  postponeMessage,
  readGuestMessageSettings,
  selectDueForUpdate,
  skipIncludedCodes,
  skipMessage,
  textOf,
  timelyEvents,
} from "../messaging/public.ts";
import {
  fillText,
  type MessageFacts,
  messageLanguage,
  messageValues,
  readMessageCodes,
  readMessageFacts,
} from "../overview/public.ts";
import { linkForMessage } from "../stays/public.ts";

/** Prepares the messages to guests that are due, and writes those before the arrival. */
export const prepareGuestMessages: Job<Record<string, never>> = {
  name: "guestMessages.prepare",
  payload: z.strictObject({}),
};
export const deleteGuestMessageTexts: Job<Record<string, never>> = {
  name: "guestMessages.deleteTexts",
  payload: z.strictObject({}),
};

/** A guest with a new code stands at the desk or at the door. */
const PREPARE_SECONDS = 5;
const DAY_SECONDS = 86_400;
/** How often a message looks whether the lock has confirmed its code. */
const CODE_PAUSE_MS = 10_000;
/** A message with other contents waits so long for its code; then it goes without, and the code follows by itself. */
const CODE_WAIT_MS = 30 * MINUTE_MS;
/** A message that could not be prepared is tried again after this time, so that it holds up no others. */
const ERROR_PAUSE_MS = 5 * MINUTE_MS;

export interface GuestMessageDeps {
  database: Pick<Database, "pool">;
  clock: Clock;
  scopes: SystemScopes;
  outgoingMessages: OutgoingMessages;
  guestUrl: string | null;
  log: Pick<Logger, "error">;
}

export function defineGuestMessageJobs(queue: JobQueue, deps: GuestMessageDeps): void {
  queue.define(prepareGuestMessages, () => prepareDue(deps), { concurrency: 1, attempts: 1 });
  queue.every(prepareGuestMessages, PREPARE_SECONDS, {});
  queue.define(deleteGuestMessageTexts, () => deleteOldTexts(deps.database, deps.clock.now()), { concurrency: 1 });
  queue.every(deleteGuestMessageTexts, DAY_SECONDS, {});
}

/** Writes what has become due before arrivals and puts every message that is due into the outbox. */
export async function prepareDue(deps: GuestMessageDeps): Promise<void> {
  const { database, clock, scopes, log } = deps;
  await insertArrivals(database.pool, clock.now());
  for (const { id, hotelId } of await dueMessages(database, clock.now())) {
    const scope = await scopes(hotelId);
    if (!scope) continue;
    try {
      await scope.write(async (tx) => {
        const message = await selectDueForUpdate(scope, tx, id);
        if (message) await prepare(scope, tx, message, deps);
      });
    } catch (error) {
      log.error({ err: error, guestMessageId: id }, "a message to a guest could not be prepared");
      const dueAt = new Date(clock.now().getTime() + ERROR_PAUSE_MS);
      await scope.write((tx) => postponeMessage(tx, id, dueAt));
    }
  }
}

/** Puts one message into the outbox, in the same transaction; postpones it or decides that it isn't sent. */
async function prepare(scope: Scope, tx: Transaction, message: DueMessage, deps: GuestMessageDeps): Promise<void> {
  const { id, event, stayId, stayGuestId, byHand } = message;
  const facts = await readMessageFacts(tx.sql, stayGuestId);
  if (!facts || facts.erased || !timelyEvents(facts.state).includes(event)) return skipMessage(tx, id, "outdated");
  if (facts.optedOut) return skipMessage(tx, id, "opted_out");
  const settings = await readGuestMessageSettings(tx.sql);
  // The message about a code may stand in for one that went out without it, whatever the hotel sends about codes.
  const isSent = byHand || event === "code_changed" || settings.events.includes(event);
  if (!isSent) return skipMessage(tx, id, "switched_off");
  const earlier = await earlierWaiting(tx, message);
  // A message that still waits will say what is so when it goes out.
  if (event === "changed" && earlier.some((other) => other === "reserved" || other === "changed")) {
    return skipMessage(tx, id, "included");
  }
  const language = messageLanguage(facts);
  const text = await textOf(tx.sql, event, language);
  const variables = new Set([...variablesIn(text.subject), ...variablesIn(text.body)]);

  const isUrgent = byHand || (variables.has("doorCode") && facts.state === "checked_in");
  const quietUntil = isUrgent ? null : endOfQuiet(scope.now(), settings.quiet, facts.timeZone);
  if (quietUntil) return postponeMessage(tx, id, quietUntil);

  if (event === "code_changed" && (await isToldEarlier(tx, earlier, language))) {
    return postponeMessage(tx, id, new Date(scope.now().getTime() + CODE_PAUSE_MS));
  }
  const chosen = chooseRoute(facts, settings, deps.outgoingMessages);
  if (!chosen) return skipMessage(tx, id, "no_address");
  // A message about nothing but a code is no message without it.
  const { unconfirmed, ...way } = chosen;
  const route = { ...way, toHandOver: way.toHandOver || (unconfirmed && event === "code_changed") };
  const maySendSecrets = route.toHandOver || !unconfirmed;

  const codes = variables.has("doorCode") && maySendSecrets ? await codesOf(scope, tx, message, facts) : [];
  if (codes === "wait") return postponeMessage(tx, id, new Date(scope.now().getTime() + CODE_PAUSE_MS));
  if (codes === "gone") return skipMessage(tx, id, "outdated");
  const isLive = facts.state === "reserved" || facts.state === "checked_in";
  const addressee = { stayId, stayGuestId, toMobile: route.channel !== "mail" && !route.toHandOver };
  const shown = maySendSecrets ? facts : { ...facts, wifiPassword: "" };
  const values = messageValues(shown, language, {
    doorCode: codes.map(({ code }) => code).join(", "),
    guestLink:
      variables.has("guestLink") && isLive && maySendSecrets
        ? ((await linkForMessage(scope, tx, addressee, deps.guestUrl)) ?? "")
        : "",
  });
  const filled = fillText(text, values);
  const messageId = await deps.outgoingMessages.queueWritten(tx.db, { hotelId: scope.hotelId, ...route, ...filled });
  const { channel, toHandOver } = route;
  const passcodeIds = codes.map(({ passcodeId }) => passcodeId);
  const writtenFrom = { roomId: facts.roomId, passcodeIds, hasLink: values.guestLink !== "" };
  await markQueued(tx, id, { messageId, channel, toHandOver }, writtenFrom);
  await skipIncludedCodes(tx, stayId, passcodeIds);
  // Audit entries can't be erased, so the address is only hinted at.
  const after = {
    event,
    channel,
    to: maskedContact(route.recipient),
    ...(codes.length > 0 && { codes: codes.length }),
  };
  tx.audit({ action: "guestMessage.queue", entity: "stayGuest", entityId: stayGuestId, after });
  if (!toHandOver) tx.committed(() => void deps.outgoingMessages.deliverSoon([messageId]));
}

/** Checks whether a message that goes out before contains the door code. */
async function isToldEarlier(
  tx: Transaction,
  earlier: readonly GuestMessageEvent[],
  language: LanguageCode,
): Promise<boolean> {
  for (const event of new Set(earlier)) {
    if (event === "code_changed" || !variablesOf(event).includes("doorCode")) continue;
    if (variablesIn((await textOf(tx.sql, event, language)).body).includes("doorCode")) return true;
  }
  return false;
}

interface Route {
  channel: GuestMessageChannel;
  recipient: string;
  toHandOver: boolean;
  /** Somebody entered the address who may not give out door codes. */
  unconfirmed: boolean;
}

type Addresses = Pick<MessageFacts, "email" | "mobile" | "emailUnconfirmed" | "mobileUnconfirmed">;

/**
 * Returns the first of the hotel's ways that reaches the guest. If no service does but the guest has an address, the desk
 * hands the message over. Null without any address.
 */
function chooseRoute(
  { email, mobile, emailUnconfirmed, mobileUnconfirmed }: Addresses,
  { channels, webhookUrl }: GuestMessageSettings,
  outgoingMessages: Pick<OutgoingMessages, "delivers">,
): Route | null {
  const routeBy = (channel: GuestMessageChannel, toHandOver: boolean): Route =>
    channel === "mail"
      ? { channel, recipient: email, toHandOver, unconfirmed: emailUnconfirmed }
      : { channel, recipient: mobile, toHandOver, unconfirmed: mobileUnconfirmed };
  const routes = channels.map((channel) => {
    const isSetUp = channel === "webhook" ? webhookUrl !== null : outgoingMessages.delivers(channel);
    return routeBy(channel, !isSetUp);
  });
  const withAddress = routes.filter(({ recipient }) => recipient !== "");
  const route = withAddress.find(({ toHandOver }) => !toHandOver) ?? withAddress[0];
  if (route) return route;
  if (email !== "") return routeBy("mail", true);
  return mobile === "" ? null : routeBy("sms", true);
}

/**
 * Returns the codes that a message contains, all confirmed by their locks; "wait" if it is too early. A message about a
 * new code is "gone" with that code. Another message goes without a code that its lock doesn't confirm in time; a
 * message of its own then waits for that code.
 */
async function codesOf(
  scope: Scope,
  tx: Transaction,
  { event, passcodeId, stayId, occurredAt }: DueMessage,
  facts: MessageFacts,
): Promise<{ passcodeId: number; code: string }[] | "wait" | "gone"> {
  const ofStay = await readMessageCodes(scope, facts);
  const isAboutOne = event === "code_changed" && passcodeId !== null;
  const codes = isAboutOne ? ofStay.filter((code) => code.passcodeId === passcodeId) : ofStay;
  const confirmed = codes.flatMap(({ passcodeId: of, code }) => (code === null ? [] : [{ passcodeId: of, code }]));
  const unconfirmed = codes.filter(({ code }) => code === null);
  if (event === "code_changed") {
    if (confirmed.length > 0) return confirmed;
    return unconfirmed.length > 0 ? "wait" : "gone";
  }
  const mayWait = scope.now().getTime() < Date.parse(occurredAt) + CODE_WAIT_MS;
  if (unconfirmed.length > 0 && mayWait) return "wait";
  for (const code of unconfirmed) await announceCode(scope, tx, stayId, code.passcodeId);
  return confirmed;
}
