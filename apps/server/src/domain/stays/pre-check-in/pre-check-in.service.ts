import { DomainError } from "@innkey/shared/errors";
import {
  type PreCheckInInput,
  type PreCheckInState,
  type PreCheckInValues,
  preCheckInValues,
} from "@innkey/shared/schemas/stays/pre-check-in";
import type { Scope } from "../../../kernel/scope.ts";
import type { SealContext } from "../../../kernel/secret-box.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import type { GuestVisit } from "../guest-links/guest-entrance.ts";
import { maskDocumentNumber } from "../guests/identity.ts";
import { partyOfGuest, selectStayForUpdate } from "../stays/live-stay.ts";

const contextOf = ({ hotelId }: Scope, row: number): SealContext => ({
  column: "pre_check_in.content_box",
  hotelId,
  row,
});

function openValues(scope: Scope, stayGuestId: number, box: Uint8Array | null): PreCheckInValues | null {
  const text = box && scope.secrets.document.open(box, contextOf(scope, stayGuestId));
  return text ? preCheckInValues.parse(JSON.parse(text)) : null;
}

/**
 * Stores what a guest wrote about themselves, in place of what they wrote before. The caller has checked that the hotel
 * asks for it and that the guest has shown who they are. @throws not_found once the party has arrived; state_conflict once
 * the desk has answered; invalid_input if nothing is given
 */
export async function savePreCheckIn(
  { scope, stayId, stayGuestId }: GuestVisit,
  values: PreCheckInValues,
  arrivalTime: PreCheckInInput["arrivalTime"],
): Promise<void> {
  const hasValues = Object.values(values).some((value) => value !== null && value !== "");
  if (!hasValues && arrivalTime === null) {
    throw new DomainError("invalid_input", {}, { name: { key: "validation.required" } });
  }
  await scope.write(async (tx) => {
    await selectStayForUpdate(scope, tx, stayId, "reserved");
    const before = await tx.db.preCheckIn.findFirst({ where: { stayGuestId }, select: { answeredAt: true } });
    if (before?.answeredAt) throw new DomainError("state_conflict");
    const data = {
      contentBox: scope.secrets.document.seal(JSON.stringify(values), contextOf(scope, stayGuestId)),
      arrivalTime: arrivalTime ?? "",
      sentAt: scope.now(),
    };
    if (before) {
      await tx.db.preCheckIn.updateMany({ where: { stayGuestId }, data });
      return;
    }
    await tx.db.preCheckIn.create({ data: { hotelId: scope.hotelId, stayGuestId, ...data } });
    // Only the first one, so that nobody outside can fill the audit log.
    tx.audit({ action: "preCheckIn.send", entity: "stayGuest", entityId: stayGuestId });
  });
}

/** Returns what a guest wrote, for the desk. @throws no_permission, not_found */
export async function readPreCheckIn(scope: Scope, { stayGuestId }: { stayGuestId: number }): Promise<PreCheckInState> {
  scope.require("stays.view");
  await partyOfGuest(scope, stayGuestId);
  const row = await scope.reads.preCheckIn.findFirst({ where: { stayGuestId } });
  if (!row) return null;
  const values = openValues(scope, stayGuestId, row.contentBox);
  const number = values?.documentNumber ?? "";
  const documentNumber = scope.can("guests.documents") ? number : maskDocumentNumber(number);
  return {
    sentAt: row.sentAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
    arrivalTime: row.arrivalTime || null,
    values: values && { ...values, documentNumber },
  };
}

/**
 * Ends the wait for an answer and deletes what the guest wrote. Returns it to the caller, who has locked the stay and
 * checked the permission. @throws state_conflict if it was answered before or the guest has sent something else since
 */
export async function takePreCheckIn(
  scope: Scope,
  tx: Transaction,
  { stayGuestId, sentAt }: { stayGuestId: number; sentAt: string },
): Promise<PreCheckInValues> {
  const row = await tx.db.preCheckIn.findFirst({ where: { stayGuestId, answeredAt: null } });
  const values = row && openValues(scope, stayGuestId, row.contentBox);
  if (!values || row.sentAt.getTime() !== Date.parse(sentAt)) throw new DomainError("state_conflict");
  await tx.db.preCheckIn.updateMany({ where: { stayGuestId }, data: { contentBox: null, answeredAt: scope.now() } });
  return values;
}
