import type { Guest } from "../../../adapters/postgres/generated/client.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";

type Contacts = Pick<Guest, "mobile" | "email">;

/** Which addresses of a guest get no door code and no link to the guest's page. */
export type UnconfirmedContacts = Pick<Guest, "mobileUnconfirmed" | "emailUnconfirmed">;

/**
 * Whether door codes may go to an address because this caller entered it: they may give out codes themselves. A program
 * may not, whatever its scopes, because messages contain more than these.
 */
const confirms = (scope: Scope): boolean => scope.actor.kind !== "key" && scope.can("passcodes.issue");

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
 * Returns what is so of the addresses of a person who is known, also while nobody expects them: a later stay would use the
 * addresses too. null: none of them changes.
 */
export function contactsChanged(scope: Scope, stored: Guest, entered: Partial<Contacts>): UnconfirmedContacts | null {
  const { mobile, email } = { ...stored, ...entered };
  if (mobile === stored.mobile && email === stored.email) return null;
  return contactsEntered(scope, stored, entered);
}

/** Records that the guest whom this caller makes the primary one is somebody whose addresses nobody has confirmed. */
export async function contactsOfNextPrimary(scope: Scope, tx: Transaction, stayGuestId: number): Promise<void> {
  if (confirms(scope)) return;
  const stays = { some: { id: stayGuestId } };
  await tx.db.guest.updateMany({ where: { stays, NOT: { mobile: "" } }, data: { mobileUnconfirmed: true } });
  await tx.db.guest.updateMany({ where: { stays, NOT: { email: "" } }, data: { emailUnconfirmed: true } });
}

/** Records that codes may go to a guest's addresses. Returns whether that is new. The caller has checked the permission. */
export async function confirmContacts(tx: Transaction, stayGuestId: number): Promise<boolean> {
  const { count } = await tx.db.guest.updateMany({
    where: { stays: { some: { id: stayGuestId } }, OR: [{ mobileUnconfirmed: true }, { emailUnconfirmed: true }] },
    data: { mobileUnconfirmed: false, emailUnconfirmed: false },
  });
  return count > 0;
}
