import { DomainError } from "@innkey/shared/errors";
import type { Guest } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

type Contacts = Pick<Guest, "mobile" | "email">;

/** Which addresses of a guest get no door code and no link to the guest's page. */
export type UnconfirmedContacts = Pick<Guest, "mobileUnconfirmed" | "emailUnconfirmed">;

/**
 * Whether guests may check in without the desk, which ends with a door code, and open their door on their page because
 * this caller booked them: they may give out codes themselves.
 */
export const mayGiveCodes = (scope: Scope): boolean => scope.can("passcodes.issue");

/**
 * Whether door codes may go to an address because this caller entered it. A program may not confirm it, whatever its
 * scopes, because messages contain more than these.
 */
const confirms = (scope: Scope): boolean => scope.actor.kind !== "key" && mayGiveCodes(scope);

/**
 * Returns what is so of addresses that replace the stored ones; one that stays is as before. Whoever may change a guest
 * must not make the console send the guest's code to an address of their choice.
 */
export function contactsEntered(
  scope: Scope,
  stored: Contacts & UnconfirmedContacts,
  entered: Partial<Contacts>,
): UnconfirmedContacts {
  const after = (contact: "mobile" | "email", before: boolean): boolean => {
    const value = entered[contact] ?? stored[contact];
    return value === stored[contact] ? before : value !== "" && !confirms(scope);
  };
  return {
    mobileUnconfirmed: after("mobile", stored.mobileUnconfirmed),
    emailUnconfirmed: after("email", stored.emailUnconfirmed),
  };
}

/** Returns what is so of the addresses of a person who is added to a stay that exists. */
export const contactsAdded = (scope: Scope, contacts: Contacts): UnconfirmedContacts =>
  contactsEntered(scope, { mobile: "", email: "", mobileUnconfirmed: false, emailUnconfirmed: false }, contacts);

/**
 * Returns what is so of the addresses of a new person in a booking. A program that may give out codes may book for them:
 * it could make their codes itself.
 */
export const contactsBooked = (scope: Scope, contacts: Contacts): UnconfirmedContacts =>
  mayGiveCodes(scope) ? { mobileUnconfirmed: false, emailUnconfirmed: false } : contactsAdded(scope, contacts);

/**
 * Returns what is so of the addresses of a person who is known, also while nobody expects them: a later stay would use the
 * addresses too. null: none of them changes.
 */
export function contactsChanged(scope: Scope, stored: Guest, entered: Partial<Contacts>): UnconfirmedContacts | null {
  const { mobile, email } = { ...stored, ...entered };
  if (mobile === stored.mobile && email === stored.email) return null;
  return contactsEntered(scope, stored, entered);
}

/**
 * Records that the guest whom this caller makes the primary one is somebody whom nobody has confirmed, nor their
 * addresses. The caller has locked the stay.
 */
export async function contactsOfNextPrimary(scope: Scope, tx: Transaction, stayGuestId: number): Promise<void> {
  const stays = { some: { id: stayGuestId } };
  const { stayId } = await tx.db.stayGuest.findFirstOrThrow({ where: { id: stayGuestId }, select: { stayId: true } });
  await unconfirmBooking(scope, tx, stayId);
  if (confirms(scope)) return;
  await tx.db.guest.updateMany({ where: { stays, NOT: { mobile: "" } }, data: { mobileUnconfirmed: true } });
  await tx.db.guest.updateMany({ where: { stays, NOT: { email: "" } }, data: { emailUnconfirmed: true } });
}

/**
 * Records that codes may go to a guest's addresses, if they are those that the caller saw. Returns whether that is new. The
 * caller has checked the permission. @throws state_conflict if the guest has other addresses by now
 */
export async function confirmContacts(
  tx: Transaction,
  stayGuestId: number,
  { mobile, email }: Contacts,
): Promise<boolean> {
  const seen = { stays: { some: { id: stayGuestId } }, mobile, email };
  const { count } = await tx.db.guest.updateMany({
    where: { ...seen, OR: [{ mobileUnconfirmed: true }, { emailUnconfirmed: true }] },
    data: { mobileUnconfirmed: false, emailUnconfirmed: false },
  });
  if (count === 0 && !(await tx.db.guest.findFirst({ where: seen, select: { id: true } })))
    throw new DomainError("state_conflict");
  return count > 0;
}

/**
 * Records that a booking which this caller brings back, or moves to another room or arrival, is theirs: nobody has
 * confirmed it unless they may give out codes themselves. The caller has locked the stay.
 */
export async function unconfirmBooking(scope: Scope, tx: Transaction, stayId: number): Promise<void> {
  if (mayGiveCodes(scope)) return;
  await tx.db.stay.updateMany({ where: { id: stayId }, data: { bookingUnconfirmed: true } });
}

/** Returns whether the page of a stay's guests opens no door yet. The caller has locked the stay. */
export async function isBookingUnconfirmed(tx: Transaction, stayId: number): Promise<boolean> {
  const stay = await tx.db.stay.findFirst({ where: { id: stayId }, select: { bookingUnconfirmed: true } });
  return stay?.bookingUnconfirmed ?? true;
}

/**
 * Records that the guest whose name the stay has may check in on their page, and the party open its door there; nothing
 * happens for another guest. Returns whether that is new. The caller has locked the stay and checked the permission to
 * give out door codes.
 */
export async function confirmBooking(tx: Transaction, stayGuestId: number): Promise<boolean> {
  const { count } = await tx.db.stay.updateMany({
    where: { bookingUnconfirmed: true, guests: { some: { id: stayGuestId, primary: true } } },
    data: { bookingUnconfirmed: false },
  });
  return count > 0;
}
