import type { Transaction } from "../../../kernel/transaction.ts";

/**
 * Records whether the guest wants no messages from the hotel, in this and every later stay. Returns whether that is new.
 * The caller has checked the permission.
 */
export async function setNoMessages(tx: Transaction, stayGuestId: number, noMessages: boolean): Promise<boolean> {
  const { count } = await tx.db.guest.updateMany({
    where: { stays: { some: { id: stayGuestId } }, noMessages: !noMessages, erasedAt: null },
    data: { noMessages },
  });
  return count > 0;
}
