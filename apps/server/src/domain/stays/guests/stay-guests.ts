import type { GuestInput } from "@innkey/shared/schemas/stays/stays";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { openDocumentNumber, saveGuest } from "./identity.ts";
import { normalDocumentNumber } from "./visible-people.ts";

/** Returns the guests of a stay in the form of an input, to compare them with who is in the house. */
export async function readGuestInputs(scope: Scope, tx: Transaction, stayId: number): Promise<GuestInput[]> {
  const rows = await tx.db.stayGuest.findMany({ where: { stayId }, include: { guest: true } });
  return rows.map(({ guest }) => ({
    name: guest.name,
    gender: guest.gender,
    nationality: guest.nationality,
    birthDate: guest.birthDate?.toISOString().slice(0, 10) ?? null,
    documentType: guest.documentType,
    documentNumber: openDocumentNumber(scope, guest.id, guest.documentNumberBox),
    mobile: guest.mobile,
    email: guest.email,
  }));
}

/**
 * Adds the guests of a stay and returns the id of the first one, the primary guest (old clients call it manage_id). Two
 * entries of the same person become one guest.
 */
export async function addGuests(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  guests: readonly GuestInput[],
): Promise<number> {
  const added = new Set<number>();
  const typed = new Set<string>();
  let primary = 0;
  for (const guest of guests) {
    const number = normalDocumentNumber(guest.documentNumber);
    const identity = JSON.stringify([guest.name, number]);
    if (number !== "" && typed.has(identity)) continue;
    typed.add(identity);
    const guestId = await saveGuest(scope, tx, guest);
    if (added.has(guestId)) continue;
    added.add(guestId);
    const row = await tx.db.stayGuest.create({
      data: { hotelId: scope.hotelId, stayId, guestId, primary: primary === 0, createdAt: scope.now() },
      select: { id: true },
    });
    primary ||= row.id;
  }
  return primary;
}
