import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import { nextId, type Transaction } from "../../../kernel/transaction.ts";
import { linkHash, newLinkToken } from "./guest-secrets.ts";

export const revoked = (scope: Scope): { revokedAt: Date; tokenBox: null } => ({
  revokedAt: scope.now(),
  tokenBox: null,
});

export const tokenContext = ({ hotelId }: Pick<Scope, "hotelId">, row: number): SealContext => ({
  column: "guest_link.token_box",
  hotelId,
  row,
});

/** Writes a new link and returns its secret. */
export async function insertLink(
  scope: Scope,
  tx: Transaction,
  stayGuestId: number,
  more: { lateUntil?: Date | null; lateDeclinedAt?: Date | null; sentToMobile?: boolean },
): Promise<string> {
  const { hotelId, secrets } = scope;
  const token = newLinkToken();
  const id = await nextId(tx, "guest_link");
  const tokenBox = secrets.message.seal(token, tokenContext(scope, id));
  await tx.db.guestLink.create({
    data: { id, hotelId, stayGuestId, tokenHash: linkHash(token), tokenBox, createdAt: scope.now(), ...more },
  });
  return token;
}

/**
 * Ends the links that a guest has, with every browser that is recognised by them, and makes others in their place, which
 * the next message contains: those before may be in the hands of somebody else. Where the desk took a link back there is
 * none to replace. The caller has checked the permission to change the guest, and shows the address to nobody. Returns the
 * ids of the stays whose links ended; openings of their doors are the caller's to withdraw.
 */
export async function replaceLinks(
  scope: Scope,
  tx: Transaction,
  of: { id: number } | { guestId: number },
): Promise<number[]> {
  const links = await tx.db.guestLink.findMany({
    where: { stayGuest: of, revokedAt: null },
    orderBy: { id: "asc" },
    include: { stayGuest: { select: { stayId: true } } },
  });
  const stayIds: number[] = [];
  for (const { id, stayGuestId, lateUntil, lateDeclinedAt, stayGuest } of links) {
    const { count } = await tx.db.guestLink.updateMany({ where: { id, revokedAt: null }, data: revoked(scope) });
    if (count === 0) continue;
    await tx.db.guestLinkDevice.deleteMany({ where: { linkId: id } });
    await insertLink(scope, tx, stayGuestId, { lateUntil, lateDeclinedAt });
    const after = { replaced: true, guestChanged: true };
    tx.audit({ action: "guestLink.make", entity: "stayGuest", entityId: stayGuestId, after });
    stayIds.push(stayGuest.stayId);
  }
  return stayIds;
}
