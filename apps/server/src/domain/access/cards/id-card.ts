import { DomainError } from "@innkey/shared/errors";
import type * as schema from "@innkey/shared/schemas/access/cards";
import type { z } from "zod";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { requireOwnReader } from "../card-readers/card-readers.service.ts";
import { createAirCard, planForStay } from "./air-cards.service.ts";

type Input<S extends z.ZodType> = z.infer<S>;

/** A number of four bytes that begins with 08 is drawn anew with each reading (ISO/IEC 14443-3). */
const isRandom = (uid: string): boolean => uid.length === 8 && uid.startsWith("08");

/**
 * Lets a guest's own identity card open the door of their stay by its number, like a card by number. Whoever reads the
 * number once can copy it, so it is shown and kept like a document. @throws no_permission, not_found; id_card_changes
 * if both readings differ or the card draws its number anew; reader_of_others; lock_missing; card_in_use
 */
export async function addIdCard(
  scope: Scope,
  { stayId, stayGuestId, readings: [uid, again], reader }: Input<typeof schema.idCardInput>,
): Promise<Input<typeof schema.airCardOutcome>> {
  scope.require("cards.issue");
  return scope.write(async (tx) => {
    await requireOwnReader(scope, tx.sql, reader);
    if (uid !== again || isRandom(uid)) throw new DomainError("id_card_changes");
    const { roomIds, window } = await planForStay(scope, tx, { stayId, roomIds: [] });
    const guest = await tx.db.stayGuest.findFirst({ where: { id: stayGuestId, stayId }, select: { id: true } });
    if (!guest) throw new DomainError("not_found");
    const fields = { uid, note: "", stayId, stayGuestId, idCard: true };
    const { card, commandIds } = await createAirCard(scope, tx, fields, roomIds, window);
    const after = { stayId, stayGuestId, roomIds, validTo: window.validTo };
    tx.audit({ action: "card.id_card", entity: "card", entityId: card.id, after });
    return { cardId: card.id, state: "active", commandIds };
  });
}

/** Erases the numbers of these guests' identity cards, once no lock accepts them any more. */
export async function forgetIdCards(tx: Transaction, guestIds: readonly number[]): Promise<void> {
  await tx.sql.rows(
    `UPDATE card c SET uid = '' FROM stay_guest sg
      WHERE c.hotel_id = $1 AND c.id_card AND c.state = 'revoked' AND c.uid <> '' AND sg.id = c.stay_guest_id
        AND sg.guest_id = ANY ($2::int[]) RETURNING c.id`,
    [...guestIds],
  );
}
