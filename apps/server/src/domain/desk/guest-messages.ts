import { StayState } from "@innkey/shared/enums";
import { DomainError } from "@innkey/shared/errors";
import { variablesIn } from "@innkey/shared/guest-messages";
import type * as schema from "@innkey/shared/schemas/guest-messages";
import type { z } from "zod";
import type { Scope } from "../../kernel/scope.ts";
import type { Transaction } from "../../kernel/transaction.ts";
import { insertByHand, markHandedOver, settleFailures, textOf, timelyEvents } from "../messaging/public.ts";
import { messageLanguage, readMessageFacts } from "../overview/public.ts";
import {
  confirmBooking,
  confirmContacts,
  mayGiveCodes,
  partyOfGuest,
  selectStayForUpdate,
  setNoMessages,
} from "../stays/public.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** Messages that the desk may send to a guest by hand about one stay. */
export const MAX_BY_HAND = 20;

/**
 * Sends a guest a message about an event again, or one that the hotel doesn't send by itself, with what is so now. It
 * goes out at any time of day. Whoever sends a code or a link confirms the guest's addresses and booking; whoever may and
 * sends the Wi-Fi password confirms the addresses. @throws no_permission, not_found; state_conflict if it no longer fits
 * the stay, the guest wants no messages, or has other contact details than the sender saw; sent_too_often
 */
export async function sendByHand(
  scope: Scope,
  { stayGuestId, event, contacts }: Input<typeof schema.sendGuestMessageInput>,
): Promise<Input<typeof schema.guestMessageSent>> {
  scope.require("stays.manage");
  // What messages contain is more than the scopes of a program.
  if (scope.actor.kind === "key") throw new DomainError("no_permission");
  const { stayId } = await partyOfGuest(scope, stayGuestId);
  return scope.write(async (tx) => {
    // Otherwise sends at the same time would count each other out.
    await selectStayForUpdate(scope, tx, stayId, ...StayState.options);
    const facts = await readMessageFacts(tx.sql, stayGuestId);
    if (!facts || facts.erased) throw new DomainError("not_found");
    const { mobile, email } = facts;
    if (mobile !== contacts.mobile || email !== contacts.email) throw new DomainError("state_conflict");
    if (!timelyEvents(facts.state).includes(event) || facts.optedOut) throw new DomainError("state_conflict");
    const { subject, body } = await textOf(tx.sql, event, messageLanguage(facts));
    const variables = [...variablesIn(subject), ...variablesIn(body)];
    const hasSecret = variables.includes("doorCode") || variables.includes("guestLink");
    if (hasSecret) scope.require("passcodes.issue");
    const hasPassword = variables.includes("wifiPassword") && mayGiveCodes(scope);
    await checkCount(tx, stayId);
    const id = await insertByHand(scope, tx, { stayId, stayGuestId, event });
    if (id === null) throw new DomainError("repeated");
    const isConfirmed = (hasSecret || hasPassword) && (await confirmContacts(tx, stayGuestId, contacts));
    const isBookingConfirmed = hasSecret && (await confirmBooking(tx, stayGuestId));
    const after = {
      event,
      ...(isConfirmed && { contactConfirmed: true }),
      ...(isBookingConfirmed && { bookingConfirmed: true }),
    };
    tx.audit({ action: "guestMessage.send", entity: "stayGuest", entityId: stayGuestId, after });
    return { id };
  });
}

async function checkCount(tx: Transaction, stayId: number): Promise<void> {
  const count = await tx.db.guestMessage.count({ where: { stayId, byHand: true } });
  if (count >= MAX_BY_HAND) throw new DomainError("sent_too_often");
}

/**
 * Records that somebody at the desk gave a message to its guest. @throws no_permission, not_found; state_conflict if it
 * isn't to be handed over
 */
export async function handOver(
  scope: Scope,
  { id }: Input<typeof schema.guestMessageRef>,
): Promise<Input<typeof schema.guestMessageHandedOver>> {
  scope.require("stays.manage");
  const message = await scope.reads.guestMessage.findFirst({ where: { id }, select: { stayGuestId: true } });
  if (!message) throw new DomainError("not_found");
  await partyOfGuest(scope, message.stayGuestId);
  await scope.write(async (tx) => {
    if (!(await markHandedOver(scope, tx, id))) throw new DomainError("state_conflict");
    await settleFailures(scope, tx);
    const after = { messageId: id };
    tx.audit({ action: "guestMessage.handOver", entity: "stayGuest", entityId: message.stayGuestId, after });
  });
  return { id };
}

/** Records whether a guest wants messages from the hotel. @throws no_permission, not_found */
export async function setOptOut(
  scope: Scope,
  { stayGuestId, optedOut }: Input<typeof schema.optOutInput>,
): Promise<Input<typeof schema.optedOut>> {
  scope.require("stays.manage");
  await partyOfGuest(scope, stayGuestId);
  await scope.write(async (tx) => {
    const changed = await setNoMessages(tx, stayGuestId, optedOut);
    if (!changed) return;
    tx.audit({ action: "guestMessage.optOut", entity: "stayGuest", entityId: stayGuestId, after: { optedOut } });
  });
  return { optedOut };
}
