import type { FolioEntryType, PaymentChannel } from "../../../adapters/postgres/generated/enums.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Transaction } from "../../../kernel/transaction.ts";
import { chargeEntries, depositEntries, depositSpentEntries, paymentEntries, postEntry } from "./ledger.ts";

/** An entry that the end of a stay wrote; `of` is the type of the entry that it refers to. */
interface EndEntry {
  id: number;
  type: FolioEntryType;
  amountMinor: number;
  channel: PaymentChannel | null;
  refundsEntryId: number | null;
  of: FolioEntryType | null;
}

/** Returns the ids of a stay's entries after the one with id `lastId` (null: all). */
export async function entriesSince(tx: Transaction, stayId: number, lastId: number | null): Promise<number[]> {
  const rows = await tx.sql.rows<{ id: number }>(
    "SELECT id FROM folio_entry WHERE hotel_id = $1 AND stay_id = $2::int AND id > $3::int ORDER BY id",
    stayId,
    lastId ?? 0,
  );
  return rows.map(({ id }) => id);
}

/**
 * Takes back what the end of a stay did to its folio, by counter-entries: refunded charges are charged again, and
 * deposits that were spent are held again. Payments stay. Money that was paid out is either back (`isMoneyBack`), and
 * is then taken through the same channel, or it is owed again. No money leaves the hotel. The caller has locked the
 * stay.
 */
export async function reverseEnd(
  scope: Scope,
  tx: Transaction,
  { stayId, entryIds, isMoneyBack }: { stayId: number; entryIds: readonly number[]; isMoneyBack: boolean },
): Promise<void> {
  const entries = await tx.sql.rows<EndEntry>(
    `SELECT o.id, o.type::text AS type, o.amount_minor AS "amountMinor", o.channel::text AS channel,
            o.refunds_entry_id AS "refundsEntryId", r.type::text AS of
       FROM folio_entry o LEFT JOIN folio_entry r ON r.id = o.refunds_entry_id
      WHERE o.hotel_id = $1 AND o.stay_id = $2::int AND o.id = ANY ($3::int[]) ORDER BY o.id DESC`,
    stayId,
    entryIds,
  );
  for (const entry of entries) await reverse(scope, tx, stayId, entry, isMoneyBack);
}

async function reverse(
  scope: Scope,
  tx: Transaction,
  stayId: number,
  { type, amountMinor, channel, refundsEntryId, of }: EndEntry,
  isMoneyBack: boolean,
): Promise<void> {
  const takeBack = async (minor: number, by: PaymentChannel): Promise<void> => {
    const entries = paymentEntries(minor, by);
    await postEntry(scope, tx, { stayId, type: "payment", amountMinor: minor, channel: by, entries });
  };
  const reversal = { stayId, type: "reversal" as const, amountMinor: -amountMinor };
  // A credit that was paid out is a payment in the other direction.
  if (type === "payment" && amountMinor < 0 && channel && isMoneyBack) await takeBack(-amountMinor, channel);
  if (refundsEntryId === null) return;
  if (type === "refund" && of === "deposit" && channel) {
    const entries = depositEntries(amountMinor, channel);
    if (isMoneyBack) await postEntry(scope, tx, { stayId, type: "deposit", amountMinor, channel, entries });
  } else if (type === "refund") {
    await postEntry(scope, tx, { ...reversal, refundsEntryId, entries: chargeEntries(amountMinor, null) });
    if (channel && isMoneyBack) await takeBack(amountMinor, channel);
  } else if (type === "deposit_used" || type === "deposit_kept") {
    const entries = depositSpentEntries(-amountMinor, type === "deposit_used" ? "receivable" : "revenue");
    await postEntry(scope, tx, { ...reversal, refundsEntryId, entries });
  }
}
