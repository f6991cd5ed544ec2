import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/stays/guest-links";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { confirmBooking, confirmContacts } from "../guests/unconfirmed-contacts.ts";
import { partyOfGuest, selectStayForUpdate } from "../stays/live-stay.ts";
import { MAX_WRONG_PROOFS, type Provable, proofsOf } from "./guest-proof.ts";
import { insertLink, revoked, tokenContext } from "./replace-links.ts";

type Input<S extends z.ZodType> = z.infer<S>;
/** Address under which guests reach their pages; null if this server serves none. */
type GuestUrl = string | null;

const STATE = `SELECT g.id AS "guestId", g.mobile, g.document_number_box AS "documentNumberBox",
    coalesce(k.sent_to_mobile, false) AS "sentToMobile", g.mobile_unconfirmed OR g.email_unconfirmed AS "contactUnconfirmed",
    s.booking_unconfirmed AND sg."primary" AND (s.state = 'reserved' AND h.guest_checks_in
      OR s.state IN ('reserved', 'checked_in') AND h.guest_opens_door) AS "bookingUnconfirmed",
    iso(k.created_at) AS "createdAt", iso(k.seen_at) AS "seenAt", iso(k.proven_at) AS "provenAt",
    coalesce(k.wrong_proofs, 0) AS "wrongProofs", iso(k.opened_door_at) AS "openedDoorAt",
    iso(k.late_until) AS "lateUntil", k.late_until > s.ends_at AND k.late_declined_at IS NULL AS "isLateAsked",
    (SELECT count(*)::int FROM guest_link_device d WHERE d.link_id = k.id) AS devices
  FROM stay_guest sg JOIN guest g ON g.id = sg.guest_id JOIN stay s ON s.id = sg.stay_id JOIN hotel h ON h.id = sg.hotel_id
  LEFT JOIN guest_link k ON k.stay_guest_id = sg.id AND k.revoked_at IS NULL
  WHERE sg.hotel_id = $1 AND sg.id = $2::int`;

interface StateRow extends Provable {
  contactUnconfirmed: boolean;
  bookingUnconfirmed: boolean;
  createdAt: string | null;
  seenAt: string | null;
  provenAt: string | null;
  wrongProofs: number;
  openedDoorAt: string | null;
  lateUntil: string | null;
  isLateAsked: boolean | null;
  devices: number;
}

/** Returns what the desk sees of a guest's link. @throws no_permission, not_found */
export async function readLink(
  scope: Scope,
  { stayGuestId }: Input<typeof schema.guestLinkInput>,
  guestUrl: GuestUrl,
): Promise<schema.GuestLinkState> {
  scope.require("stays.view");
  await partyOfGuest(scope, stayGuestId);
  const [row] = await scope.sql.rows<StateRow>(STATE, stayGuestId);
  if (!row) throw new DomainError("not_found");
  const { contactUnconfirmed, bookingUnconfirmed, createdAt, seenAt, provenAt, devices, openedDoorAt, wrongProofs } =
    row;
  const locked = wrongProofs >= MAX_WRONG_PROOFS;
  const lateUntil = row.isLateAsked ? row.lateUntil : null;
  return {
    available: guestUrl !== null,
    canProve: proofsOf(scope, row).length > 0,
    contactUnconfirmed,
    bookingUnconfirmed,
    link: createdAt === null ? null : { createdAt, seenAt, provenAt, devices, locked, openedDoorAt, lateUntil },
  };
}

/**
 * Makes a guest's link to their page, and ends the one before. Whoever has it and can show that they are the guest sees
 * the door's code, so it is given out like one, and whoever gives it confirms the booking. Only this answer contains the
 * address. The caller must have checked the permission to give out codes, and withdraws openings of the door if a link
 * ended. @throws not_found; state_conflict for a stay that is over
 */
export async function makeLink(
  scope: Scope,
  tx: Transaction,
  { stayId, stayGuestId }: { stayId: number; stayGuestId: number },
  guestUrl: string,
): Promise<Input<typeof schema.guestLinkMade> & { replaced: boolean }> {
  await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
  // The guest may have been removed from the stay meanwhile.
  if (!(await tx.db.stayGuest.findFirst({ where: { id: stayGuestId, stayId }, select: { id: true } }))) {
    throw new DomainError("not_found");
  }
  // What the guest asked for stays asked.
  const previous = await tx.db.guestLink.findFirst({
    where: { stayGuestId, revokedAt: null },
    select: { lateUntil: true, lateDeclinedAt: true },
  });
  const { count: ended } = await tx.db.guestLink.updateMany({
    where: { stayGuestId, revokedAt: null },
    data: revoked(scope),
  });
  const token = await insertLink(scope, tx, stayGuestId, previous ?? {});
  const isConfirmed = await confirmBooking(tx, stayGuestId);
  const replaced = ended > 0;
  const after = { replaced, ...(isConfirmed && { bookingConfirmed: true }) };
  tx.audit({ action: "guestLink.make", entity: "stayGuest", entityId: stayGuestId, after });
  return { url: addressOf(guestUrl, token), replaced };
}

const addressOf = (guestUrl: string, token: string): string => `${guestUrl}/#${token}`;

/**
 * Returns the address of a guest's page for a message to them, the same in every message; makes it if the guest has had
 * none. Null if this server has no guests' pages, and for a link that the desk took back or made before addresses were
 * stored. `toMobile`: the message goes to the guest's phone number. The caller has checked that the guest may get it, and
 * that the stay isn't over.
 */
export async function linkForMessage(
  scope: Scope,
  tx: Transaction,
  { stayId, stayGuestId, toMobile }: { stayId: number; stayGuestId: number; toMobile: boolean },
  guestUrl: GuestUrl,
): Promise<string | null> {
  if (guestUrl === null) return null;
  await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
  const last = await tx.db.guestLink.findFirst({ where: { stayGuestId }, orderBy: { id: "desc" } });
  if (!last) {
    const token = await insertLink(scope, tx, stayGuestId, { sentToMobile: toMobile });
    tx.audit({ action: "guestLink.make", entity: "stayGuest", entityId: stayGuestId, after: { replaced: false } });
    return addressOf(guestUrl, token);
  }
  const token =
    last.revokedAt === null && last.tokenBox && scope.secrets.message.open(last.tokenBox, tokenContext(scope, last.id));
  if (!token) return null;
  if (toMobile) await tx.db.guestLink.updateMany({ where: { id: last.id }, data: { sentToMobile: true } });
  return addressOf(guestUrl, token);
}

/**
 * Lets a guest check in and open their door on their page whom somebody booked who may not give out door codes, and
 * codes and links go to their addresses. @throws no_permission, not_found; state_conflict for a stay that is over, or
 * if the guest has other contact details than the caller saw
 */
export async function confirmBookingOf(
  scope: Scope,
  { stayGuestId, contacts }: Input<typeof schema.confirmBookingInput>,
): Promise<Input<typeof schema.bookingConfirmed>> {
  scope.require("passcodes.issue");
  const { stayId } = await partyOfGuest(scope, stayGuestId);
  return scope.write(async (tx) => {
    // Another guest may just have become the first one, whom this caller didn't look at.
    await selectStayForUpdate(scope, tx, stayId, "reserved", "checked_in");
    const confirmed = await confirmBooking(tx, stayGuestId);
    if (confirmed) {
      const after = (await confirmContacts(tx, stayGuestId, contacts)) ? { contactConfirmed: true } : {};
      tx.audit({ action: "guestLink.confirmBooking", entity: "stayGuest", entityId: stayGuestId, after });
    }
    return { confirmed };
  });
}

/**
 * Ends a guest's link at once, in every browser; nothing happens if there is none. The caller must have checked the permission
 * to give out codes, and withdraws openings of the door if a link ended.
 */
export async function revokeLink(
  scope: Scope,
  tx: Transaction,
  stayGuestId: number,
): Promise<Input<typeof schema.guestLinkRevoked>> {
  const { count } = await tx.db.guestLink.updateMany({
    where: { stayGuestId, revokedAt: null },
    data: revoked(scope),
  });
  if (count > 0) tx.audit({ action: "guestLink.revoke", entity: "stayGuest", entityId: stayGuestId });
  return { revoked: count > 0 };
}

/**
 * Deletes all links of a guest, with the browsers that are recognised by them and what was written there. The caller has
 * checked the permission.
 */
export async function deleteLinks(tx: Transaction, guestId: number): Promise<void> {
  await tx.sql.rows(
    `DELETE FROM guest_link k USING stay_guest sg
      WHERE k.hotel_id = $1 AND sg.id = k.stay_guest_id AND sg.guest_id = $2::int RETURNING k.id`,
    guestId,
  );
  await tx.sql.rows(
    `DELETE FROM pre_check_in p USING stay_guest sg
      WHERE p.hotel_id = $1 AND sg.id = p.stay_guest_id AND sg.guest_id = $2::int RETURNING p.stay_guest_id`,
    guestId,
  );
}

/** Deletes links of stays that ended before a time, with the browsers that are recognised by them; for retention. */
export async function deleteOldLinks(tx: Transaction, before: Date): Promise<void> {
  await tx.sql.rows(
    `DELETE FROM guest_link k USING stay_guest sg, stay s
      WHERE k.hotel_id = $1 AND sg.id = k.stay_guest_id AND s.id = sg.stay_id AND s.state NOT IN ('reserved', 'checked_in')
        AND coalesce(s.checked_out_at, s.cancelled_at, s.ends_at) < $2::timestamptz RETURNING k.id`,
    before,
  );
}
